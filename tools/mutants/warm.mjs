// A process with vitest loaded that runs tests again and again, which saves its start and the import graph.
//
// `node warm.mjs ROOT SECONDS` reads one JSON list a line from standard input: paths from the root, of modules (every test that
// imports one runs) or of test files (with or without `: name`, which is ignored). One line answers each,
// `{"status": "passed" | "failed" | "stuck", "test": ...}`. A test that takes longer than SECONDS is stuck; the process then
// ends, because it cannot end a loop of a worker.
import { existsSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { createVitest } from 'vitest/node'

const [root, maxTestSeconds] = [process.argv[2], Number(process.argv[3])]
const DOM = '// @vitest-environment jsdom'
const answer = process.stdout.write.bind(process.stdout)
process.stdout.write = process.stderr.write.bind(process.stderr)

let failed = ''
let running = { file: '', at: 0 }
const note = (module) => {
  running = { file: relative(root, module.moduleId), at: performance.now() }
}
const recorder = {
  onTestModuleStart: note,
  onTestCaseReady: (test) => note(test.module),
  onTestCaseResult: (test) => {
    note(test.module)
    if (test.result().state === 'failed')
      failed ||= `${relative(root, test.module.moduleId)}: ${test.fullName}`
  },
  onTestModuleEnd: (module) => {
    if (module.state() === 'failed') failed ||= relative(root, module.moduleId)
  },
  onTestRunEnd: (_modules, errors) => {
    if (errors.length > 0) failed ||= running.file || 'unhandled error'
  },
}

const vitest = await createVitest('test', { root, watch: false, bail: 1, maxWorkers: 1, reporters: [recorder] })
await vitest.standalone()
const specifications = await vitest.globTestSpecifications()
const imports = new Map()

/** Every file that the file imports, itself too. */
async function importsOf(file, found = new Set()) {
  if (found.has(file)) return found
  found.add(file)
  if (!imports.has(file)) imports.set(file, await directImports(file))
  for (const each of imports.get(file)) await importsOf(each, found)
  return found
}

async function directImports(file) {
  const { transformRequest } = vitest.vite.environments.ssr
  const code = await transformRequest.call(vitest.vite.environments.ssr, file)
  return [...(code?.deps ?? []), ...(code?.dynamicDeps ?? [])]
    .map((path) => (path.startsWith('/@fs/') ? path.slice(4) : join(root, path)))
    .filter((path) => path.startsWith(join(root, 'src')) && existsSync(path))
}

/** The tests of the given files in three groups, the most likely to fail first: the mirrored, those without a DOM, others. */
async function groupsOf(files) {
  const groups = [[], [], []]
  for (const each of specifications) {
    const found = files.includes(each.moduleId) ? [each.moduleId] : [...(await importsOf(each.moduleId))]
    if (!files.some((file) => found.includes(file))) continue
    const isMirrored = files.some((file) =>
      basename(each.moduleId).startsWith(basename(file).replace(/\.tsx?$/, '.')),
    )
    const needsDom = readFileSync(each.moduleId, 'utf8').startsWith(DOM)
    groups[isMirrored ? 0 : needsDom ? 2 : 1].push(each)
  }
  return groups.filter((group) => group.length > 0)
}

async function run(groups) {
  failed = ''
  for (const group of groups) {
    running = { file: relative(root, group[0].moduleId), at: performance.now() }
    await vitest.runTestSpecifications(group)
    if (failed) return { status: 'failed', test: failed }
  }
  return { status: 'passed', test: '' }
}

const changed = new Set()
for await (const line of createInterface({ input: process.stdin })) {
  const files = JSON.parse(line).map((path) => join(root, path.split(': ')[0]))
  for (const file of files) changed.add(file)
  for (const file of changed) vitest.invalidateFile(file)
  // On a busy machine finding them may take longer than a test may.
  const groups = await groupsOf(files)
  running = { file: '', at: performance.now() }
  const watch = setInterval(() => {
    if (performance.now() - running.at < 1000 * maxTestSeconds) return
    answer(`${JSON.stringify({ status: 'stuck', test: running.file })}\n`, () => process.exit(1))
  }, 500)
  const outcome = await run(groups)
  clearInterval(watch)
  answer(`${JSON.stringify(outcome)}\n`)
}
process.exit(0)
