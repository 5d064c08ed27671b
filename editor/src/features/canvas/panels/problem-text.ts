import type { TFunction } from 'i18next'
import type { Problem } from '@/document/backend'
import type { Catalog } from '@/graph/catalog'
import { titleOf } from '@/graph/connect'
import { type FlowDocument, findNode } from '@/graph/document'
import { isStateNote } from '@/graph/pins'
import { portAt } from '@/graph/ports'
import { settingAt } from '@/graph/setting-fields'

/** The number of a node's first error in the list of problems, from 1; 0 if it has none. */
export function problemNumber(problems: readonly Problem[], node: string): number {
  let number = 0
  for (const problem of problems) {
    if (problem.severity !== 'error') continue
    number += 1
    if (problem.node === node) return number
  }
  return 0
}

/** Whether a setting's variable is missing, or does not fit. */
export function isVariableProblem({ code }: Problem): boolean {
  return code === 'unknown_variable' || code === 'wrong_variable'
}

/** What is wrong, in the words of the canvas: ports and nodes by their titles. */
export function problemTitle(
  problem: Problem,
  document: FlowDocument,
  catalog: Catalog,
  t: TFunction<'canvas'>,
): string {
  const node = findNode(document, problem.node ?? '')
  if (node && isStateNote(problem.code)) {
    const code = problem.code as 'disabled' | 'bypassed' | 'pinned'
    return t(`problems.state.${code}`, { title: titleOf(node, catalog) })
  }
  const setting = problem.setting ?? ''
  const variable = node?.variables?.[setting]
  if (node && variable && isVariableProblem(problem)) {
    const names = { variable, setting: settingAt(catalog.typeOf(node), setting).title }
    const key = problem.code === 'unknown_variable' ? 'unknownVariable' : 'wrongVariable'
    return t(`problems.${key}`, names)
  }
  if (problem.code !== 'required_input' || !problem.node || !problem.port) return problem.message
  const end = { node: problem.node, port: problem.port }
  const port = portAt(findNode(document, problem.node), catalog, end, 'target')
  return port ? t('problems.notConnected', { port: port.title }) : problem.message
}
