import { useQuery } from '@tanstack/react-query'
import {
  Braces,
  CircleCheck,
  Download,
  KeyRound,
  LocateFixed,
  SlidersHorizontal,
  Trash2,
  TriangleAlert,
  Undo2,
  Unlink,
  Waypoints,
  X,
} from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { IconButton } from '@/components/icon-button'
import { NodeTile } from '@/components/node/node-appearance'
import { returnFocus } from '@/components/overlay'
import { useValueErrorText } from '@/components/setting/value-error-text'
import { EmptyState } from '@/components/surfaces'
import type { Problem } from '@/document/backend'
import { useChecks, useSession, useView } from '@/document/use-session'
import { addMissingVariable, showVariable } from '@/document/variable-actions'
import { titleOf } from '@/graph/connect'
import { type FlowDocument, type FlowNode, findNode } from '@/graph/document'
import { setMode, setPin, setSetting } from '@/graph/edits/nodes'
import { setVariableUse } from '@/graph/edits/variables'
import { isStateNote, stateOf } from '@/graph/pins'
import { parseValuePath } from '@/graph/value-path'
import { findVariable } from '@/graph/variables'
import { downloadsQuery } from '@/lib/api/downloads'
import { currentUserQuery } from '@/lib/api/users'
import { useNarrower, WIDTHS } from '@/lib/browser-hooks'
import { classes } from '@/lib/classes'
import { ConnectionsLink } from '../connections-link'
import { isVariableProblem, problemHint, problemTitle } from './problem-text'

/** Lists the problems that prevent a run, each with what mends it: a panel beside the canvas. */
export function ProblemsPanel() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const refused = useView((view) => view.refused)
  const problems = useChecks((checks) => checks.problems)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    heading.current?.focus({ preventScroll: true })
    return () => returnFocus(opener)
  }, [])
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const close = () => session.view.open(null)
  return (
    <section
      data-region="problems"
      aria-label={t('problems.title')}
      className="pointer-events-auto flex min-h-0 flex-col overflow-hidden rounded-l border border-hairline bg-surface shadow-card"
    >
      <header className="flex flex-none items-start gap-2 border-hairline border-b px-4 py-3.5">
        <div className="min-w-0 flex-1">
          <h2 ref={heading} tabIndex={-1} className="font-serif text-[26px] leading-tight outline-none">
            {errors > 0 ? t('problems.count', { count: errors }) : t('problems.title')}
          </h2>
          {refused && errors > 0 && <p className="mt-0.5 text-muted text-sm">{t('problems.refused')}</p>}
        </div>
        <IconButton size="sm" label={t('problems.close')} icon={<X />} tooltip={false} onClick={close} />
      </header>
      {problems.length === 0 ? (
        <EmptyState icon={<CircleCheck />} title={t('problems.none')}>
          {t('problems.noneText')}
        </EmptyState>
      ) : (
        <ProblemList
          problems={problems}
          onPick={() => session.view.open(null)}
          className="min-h-0 flex-1 px-2"
        />
      )}
    </section>
  )
}

/** The same as a dialog, on narrow screens. */
export function ProblemsDialog() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const isNarrow = useNarrower(WIDTHS.desk)
  const open = useView((view) => view.dialog === 'problems') && isNarrow
  const refused = useView((view) => view.refused)
  const problems = useChecks((checks) => checks.problems)
  const errors = problems.filter(({ severity }) => severity === 'error').length
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => session.view.open(next ? 'problems' : null)}
      title={t('problems.title')}
      {...(refused && errors > 0 && { description: t('problems.refused') })}
      size="md"
    >
      {problems.length === 0 ? (
        <EmptyState icon={<CircleCheck />} title={t('problems.none')}>
          {t('problems.noneText')}
        </EmptyState>
      ) : (
        <ProblemList problems={problems} onPick={() => session.view.open(null)} />
      )}
    </Dialog>
  )
}

type ProblemListProps = { problems: readonly Problem[]; onPick: () => void; className?: string }

/** The problems by severity; errors are numbered like the marks on the cards. */
export function ProblemList({ problems, onPick, className = '-mx-2 max-h-[60vh]' }: ProblemListProps) {
  const errors = problems.filter(({ severity }) => severity === 'error')
  const warnings = problems.filter(({ severity }) => severity !== 'error')
  return (
    <ul className={classes('scrollbar-quiet divide-y divide-hairline overflow-y-auto', className)}>
      {[...errors, ...warnings].map((problem, at) => (
        <ProblemRow
          key={`${problem.code} ${problem.node} ${problem.port ?? problem.setting} ${problem.message}`}
          problem={problem}
          number={at < errors.length ? at + 1 : null}
          onPick={onPick}
        />
      ))}
    </ul>
  )
}

type ProblemRowProps = { problem: Problem; number: number | null; onPick: () => void }

function ProblemRow({ problem, number, onPick }: ProblemRowProps) {
  const { t } = useTranslation('canvas')
  const { document, catalog } = useSession()
  const node = problem.node ? findNode(document, problem.node.split('/')[0] ?? '') : undefined
  const type = node && catalog.typeOf(node)
  const errorText = useValueErrorText()
  const hint = problemHint(problem, document, catalog, t, errorText)
  return (
    <li className="flex gap-3 px-2 py-3.5">
      {number === null ? (
        <TriangleAlert
          role="img"
          aria-label={t('problems.warning')}
          className="mt-0.5 size-5 flex-none text-ochre-text"
        />
      ) : (
        <span
          role="img"
          aria-label={t('problems.number', { number })}
          className="grid size-5 flex-none place-items-center rounded-pill bg-madder font-semibold text-[11.5px] text-paper"
        >
          {number}
        </span>
      )}
      <div className="min-w-0 flex-1">
        <p className="break-words font-semibold">{problemTitle(problem, document, catalog, t)}</p>
        {node && (
          <p className="mt-1 flex items-center gap-1.5 text-muted text-sm">
            <NodeTile type={type} className="size-5" />
            <span className="truncate">
              {[titleOf(node, catalog), node.title && type?.title].filter(Boolean).join(' · ')}
            </span>
          </p>
        )}
        {hint && <p className="mt-1 break-words text-muted text-sm">{hint}</p>}
        {node && <Remedies problem={problem} node={node} onPick={onPick} />}
      </div>
    </li>
  )
}

type VariableRemediesProps = { node: FlowNode; setting: string; onPick: () => void }

/** Adds a missing variable, or opens one that does not fit; or the setting keeps its own value. */
function VariableRemedies({ node, setting, onPick }: VariableRemediesProps) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const name = node.variables?.[setting]
  if (name === undefined) return null
  const isKnown = findVariable(session.document, name) !== undefined
  return (
    <>
      <Button
        size="sm"
        variant="primary"
        onClick={() => {
          if (isKnown) {
            onPick()
            showVariable(session, name)
          } else addMissingVariable(session, node, setting)
        }}
      >
        <Braces />
        {t(isKnown ? 'problems.openVariable' : 'problems.addVariable', { name })}
      </Button>
      <Button
        size="sm"
        onClick={() => session.edit((flow) => setVariableUse(flow, node.id, setting, undefined))}
      >
        <Undo2 />
        {t('problems.detach')}
      </Button>
    </>
  )
}

function endKey(node: FlowNode) {
  const keys = { disabled: 'menu.enable', bypassed: 'menu.unbypass', pinned: 'menu.unpin' } as const
  return keys[stateOf(node) ?? 'pinned']
}

function withoutState(document: FlowDocument, { id, mode }: FlowNode): FlowDocument {
  return mode ? setMode(document, new Set([id]), undefined) : setPin(document, id, undefined)
}

function withoutEdgesAt(document: FlowDocument, end: string): FlowDocument {
  return { ...document, edges: document.edges.filter(({ from, to }) => from !== end && to !== end) }
}

/** Leads to the caption models, which only admins can download, and only where the operator allows it. */
function CaptionModelLink() {
  const { t } = useTranslation('canvas')
  const { data: user } = useQuery(currentUserQuery)
  const { data: offers } = useQuery({ ...downloadsQuery('local'), enabled: user?.is_admin === true })
  if (!offers?.some(({ kind }) => kind === 'captions')) return null
  return (
    <ConnectionsLink variant="primary" icon={<Download aria-hidden />} text={t('problems.getCaptionModel')} />
  )
}

type RemediesProps = { problem: Problem; node: FlowNode; onPick: () => void }

/** The buttons that mend a problem, or lead to where it can be mended. */
function Remedies({ problem, node, onPick }: RemediesProps) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const { port } = problem
  const goTo = () => {
    onPick()
    session.view.show(node.id)
    const [setting, ...path] = parseValuePath(problem.setting ?? '')
    if (typeof setting === 'string' && session.canEdit)
      session.view.setState({ part: { node: node.id, setting, path } })
    else session.viewport?.focusNode(node.id)
  }
  if (!session.canEdit) return null
  return (
    <div className="mt-2.5 flex flex-wrap gap-2">
      {problem.code === 'missing_credential' && (
        <>
          <Button size="sm" variant="primary" asChild>
            <a href="/account/#provider-keys" target="_blank" rel="noreferrer">
              <KeyRound aria-hidden />
              {t('problems.addKey')}
            </a>
          </Button>
          <Button size="sm" onClick={goTo}>
            <SlidersHorizontal />
            {t('problems.chooseModel')}
          </Button>
        </>
      )}
      {problem.code === 'caption_model_missing' && <CaptionModelLink />}
      {problem.code === 'required_input' && port && (
        <Button
          size="sm"
          onClick={() => {
            session.view.select([node.id])
            session.view.setState({
              port: { end: { node: node.id, port }, side: 'target' },
              dialog: 'connect',
            })
          }}
        >
          <Waypoints />
          {t('problems.connect')}
        </Button>
      )}
      {problem.code === 'unknown_setting' && problem.setting && (
        <Button
          size="sm"
          onClick={() =>
            session.edit((flow) => setSetting(flow, node.id, String(problem.setting), undefined))
          }
        >
          <Trash2 />
          {t('problems.removeSetting')}
        </Button>
      )}
      {(problem.code === 'unknown_port' || problem.code === 'wrong_type') && port && (
        <Button size="sm" onClick={() => session.edit((flow) => withoutEdgesAt(flow, `${node.id}.${port}`))}>
          <Unlink />
          {t('problems.disconnect')}
        </Button>
      )}
      {isVariableProblem(problem) && problem.setting && (
        <VariableRemedies node={node} setting={problem.setting} onPick={onPick} />
      )}
      {isStateNote(problem.code) && stateOf(node) && (
        <Button
          size="sm"
          aria-label={t('problems.end', { what: t(endKey(node)), title: titleOf(node, session.catalog) })}
          onClick={() => session.edit((document) => withoutState(document, node))}
        >
          <Undo2 />
          {t(endKey(node))}
        </Button>
      )}
      <Button
        size="sm"
        variant="ghost"
        aria-label={t('problems.goTo', { title: titleOf(node, session.catalog) })}
        onClick={goTo}
      >
        <LocateFixed />
        {t('problems.goToNode')}
      </Button>
    </div>
  )
}
