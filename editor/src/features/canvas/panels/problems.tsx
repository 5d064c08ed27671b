import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog'
import { EmptyState } from '@/components/surfaces'
import type { Problem } from '@/document/backend'
import { useChecks, useSession, useView } from '@/document/use-session'
import { titleOf } from '@/graph/connect'

/** Lists the problems that prevent a run, each with a link to its node. */
export function ProblemsDialog() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const open = useView((view) => view.dialog === 'problems')
  const problems = useChecks((checks) => checks.problems)
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => session.view.open(next ? 'problems' : null)}
      title={t('problems.title')}
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

type ProblemListProps = { problems: readonly Problem[]; onPick: () => void }

export function ProblemList({ problems, onPick }: ProblemListProps) {
  const session = useSession()
  return (
    <ul className="scrollbar-quiet -mx-2 max-h-[50vh] overflow-y-auto">
      {problems.map((problem) => (
        <li key={`${problem.code} ${problem.node} ${problem.port ?? problem.setting} ${problem.message}`}>
          <ProblemRow
            problem={problem}
            onPress={() => {
              onPick()
              if (problem.node) session.view.show(problem.node)
            }}
          />
        </li>
      ))}
    </ul>
  )
}

function ProblemRow({ problem, onPress }: { problem: Problem; onPress: () => void }) {
  const { t } = useTranslation('canvas')
  const { document, catalog } = useSession()
  const node = document.nodes.find((one) => one.id === problem.node)
  const Glyph = problem.severity === 'warning' ? TriangleAlert : CircleAlert
  return (
    <button
      type="button"
      disabled={!node}
      onClick={onPress}
      aria-label={node ? t('problems.goTo', { title: titleOf(node, catalog) }) : undefined}
      className="flex w-full items-start gap-3 rounded-s px-2 py-2 text-left hover:bg-sunken disabled:hover:bg-transparent"
    >
      <Glyph
        aria-label={t(`problems.${problem.severity}`)}
        className={
          problem.severity === 'warning' ? 'mt-0.5 size-4 text-ochre-text' : 'mt-0.5 size-4 text-madder'
        }
      />
      <span className="min-w-0 flex-1">
        {node && <span className="block font-semibold text-sm">{titleOf(node, catalog)}</span>}
        <span className="block text-sm">{problem.message}</span>
        {problem.hint && <span className="block text-muted text-xs">{problem.hint}</span>}
      </span>
    </button>
  )
}
