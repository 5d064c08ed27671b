import type { TFunction } from 'i18next'
import type { Problem } from '@/document/backend'
import type { Catalog } from '@/graph/catalog'
import { titleOf } from '@/graph/connect'
import { type FlowDocument, type FlowNode, findNode } from '@/graph/document'
import { isStateNote } from '@/graph/pins'
import { describePort, type Port, portAt, withoutNull } from '@/graph/ports'
import { settingAt } from '@/graph/setting-fields'
import type { ValueError } from '@/graph/validate'
import { parseValuePath } from '@/graph/value-path'
import { reasonOf, valueErrorOf } from './problem-reason'

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
  if (node && reasonOf(problem)) {
    const [name = ''] = parseValuePath(setting)
    return t('problems.badSetting', { setting: settingAt(catalog.typeOf(node), String(name)).title })
  }
  const agent = agentProblem(problem, node, catalog)
  if (agent) return t(`problems.${agent}`)
  const port = emptyPort(problem, document, catalog)
  if (port) return t('problems.notConnected', { port: port.title })
  return structureText(problem, document, catalog, t)?.title ?? withTitle(problem.message, node, catalog)
}

/** How a problem is mended, in the words of the canvas; empty where its buttons say it. `errorText` words a wrong value. */
export function problemHint(
  problem: Problem,
  document: FlowDocument,
  catalog: Catalog,
  t: TFunction<'canvas'>,
  errorText: (error: ValueError | null) => string | undefined,
): string {
  const port = emptyPort(problem, document, catalog)
  if (port) return t('problems.connectHint', { type: describePort(port) })
  const node = findNode(document, problem.node ?? '')
  if (agentProblem(problem, node, catalog)) return t('problems.chooseAgent')
  const structure = structureText(problem, document, catalog, t)
  if (structure) return structure.hint
  const reason = node && reasonOf(problem)
  if (!reason) return problem.hint ?? ''
  const [name = '', ...path] = parseValuePath(problem.setting ?? '')
  const schema = settingAt(catalog.typeOf(node), String(name)).schema
  const error = valueErrorOf(reason, path, schema && withoutNull(schema))
  return errorText(error) ?? `${reason.text[0]?.toUpperCase()}${reason.text.slice(1)}.`
}

/** What is wrong with the choice of the agent that a node runs, if that is the problem. */
function agentProblem(
  { code, setting }: Problem,
  node: FlowNode | undefined,
  catalog: Catalog,
): 'noAgent' | 'runsItself' | null {
  if (code === 'self_containing') return 'runsItself'
  const subflow = node && catalog.typeOf(node)?.subflow
  return code === 'bad_setting' && subflow && setting === subflow && !node.settings[subflow]
    ? 'noAgent'
    : null
}

type Text = { readonly title: string; readonly hint: string }

/** A problem of the document's structure, which the server words with the ids of nodes, ports and types; null for others. */
function structureText(
  problem: Problem,
  document: FlowDocument,
  catalog: Catalog,
  t: TFunction<'canvas'>,
): Text | null {
  const node = findNode(document, problem.node ?? '')
  if (!node) return null
  const title = titleOf(node, catalog)
  const name = problem.port ?? problem.setting ?? ''
  const input = portAt(node, catalog, { node: node.id, port: name }, 'target')
  switch (problem.code) {
    case 'unknown_type':
      return { title: t('problems.unknownType', { title }), hint: t('problems.unknownTypeHint') }
    case 'cycle':
      return { title: t('problems.cycle', { title }), hint: t('problems.cycleHint') }
    case 'unknown_setting':
      return { title: t('problems.unknownSetting', { title, name }), hint: t('problems.unknownSettingHint') }
    case 'unknown_port':
      return { title: t('problems.unknownPort', { title, name }), hint: t('problems.unknownPortHint') }
    case 'two_edges':
      return {
        title: t('problems.twoEdges', { port: input?.title ?? name }),
        hint: t('problems.twoEdgesHint'),
      }
    case 'wrong_type':
      return input
        ? {
            title: t('problems.wrongType', { port: input.title }),
            hint: t('problems.connectHint', { type: describePort(input) }),
          }
        : null
    default:
      return null
  }
}

/** A sentence of the server with the node's title instead of its id. */
function withTitle(message: string, node: FlowNode | undefined, catalog: Catalog): string {
  const start = node && `Node '${node.id}'`
  return start && message.startsWith(start) ? titleOf(node, catalog) + message.slice(start.length) : message
}

/** The input that a problem reports as not connected. */
function emptyPort(problem: Problem, document: FlowDocument, catalog: Catalog): Port | undefined {
  if (problem.code !== 'required_input' || !problem.node || !problem.port) return undefined
  const end = { node: problem.node, port: problem.port }
  return portAt(findNode(document, problem.node), catalog, end, 'target')
}
