import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSequencer, type TestSpecification, type Vitest } from 'vitest/node'

/** Vitest's order, but with the files that need no DOM first: a worker is kept until the environment changes. */
export class ByEnvironment implements TestSequencer {
  private readonly usual: BaseSequencer

  constructor(vitest: Vitest) {
    this.usual = new BaseSequencer(vitest)
  }

  async sort(files: TestSpecification[]) {
    const sorted = await this.usual.sort(files)
    const needsDom = new Set(sorted.filter((file) => readFileSync(file.moduleId, 'utf8').startsWith(DOM)))
    return [...sorted.filter((file) => !needsDom.has(file)), ...needsDom]
  }

  shard(files: TestSpecification[]) {
    return this.usual.shard(files)
  }
}

const DOM = '// @vitest-environment jsdom'
