import { Plus } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { MoreItems } from '@/components/more-items'
import { Card, EmptyState, Skeleton } from '@/components/surfaces'
import type { AgentQuery } from '@/lib/agents/categories'
import { coversOf } from '@/lib/agents/cover'
import { useAgentPages } from '@/lib/agents/use-agent-pages'
import { type FlowSummary, flowQuery } from '@/lib/api/flows'
import { queryClient } from '@/lib/query-client'
import { usePendingDeletions } from '@/lib/with-undo'
import { AgentRow } from './agent-row'
import { useAgentActions } from './use-agent-actions'

type AgentListProps = {
  query: AgentQuery
  onCreate: () => void
  onEdit: (agent: FlowSummary) => void
  onClear: () => void
}

const grid = 'mt-5 grid grid-cols-1 gap-4.5 sm:grid-cols-2 lg:grid-cols-3'

/** The agents that match tab, search and category. */
export function AgentList({ query, onCreate, onEdit, onClear }: AgentListProps) {
  const { tab, text, category } = query
  const list = useAgentPages({ includeAll: true, mine: tab === 'own', text, category })
  const actions = useAgentActions()
  const going = usePendingDeletions()
  const agents = useMemo(() => list.agents.filter(({ id }) => !going.has(id)), [list.agents, going])
  const covers = useMemo(() => coversOf(agents.map(({ id }) => id)), [agents])
  if (list.isPending) return <Waiting />
  if (list.isLoadingError) return <Failed onRetry={() => void list.refetch()} />
  if (agents.length === 0 && (text || category)) return <NotFound onClear={onClear} />
  if (agents.length === 0) return <NoAgents tab={tab} onCreate={onCreate} />
  return (
    <>
      <ul className={grid}>
        {agents.map((agent) => (
          <AgentRow
            key={agent.id}
            agent={agent}
            gradient={covers.get(agent.id)}
            actions={actions}
            onEdit={() => onEdit(agent)}
            onIntent={() => void queryClient.prefetchQuery(flowQuery(agent.id))}
          />
        ))}
        {tab === 'own' && !list.hasNextPage && <NewAgent onCreate={onCreate} />}
      </ul>
      <MoreItems query={list} />
    </>
  )
}

function NewAgent({ onCreate }: { onCreate: () => void }) {
  const { t } = useTranslation('agents')
  return (
    <li className="grid">
      <button
        type="button"
        onClick={onCreate}
        className="grid min-h-39 place-items-center rounded-l border border-hairline-strong border-dashed font-[550] text-muted transition-colors hover:border-ghost hover:text-ink"
      >
        <span className="flex flex-col items-center gap-2">
          <Plus aria-hidden className="size-4" />
          {t('create')}
        </span>
      </button>
    </li>
  )
}

function NoAgents({ tab, onCreate }: { tab: AgentQuery['tab']; onCreate: () => void }) {
  const { t } = useTranslation('agents')
  if (tab === 'product') return <Nothing title={t('empty.public')} />
  return (
    <Nothing
      title={t('empty.none')}
      action={
        <Button onClick={onCreate}>
          <Plus aria-hidden />
          {t('create')}
        </Button>
      }
    />
  )
}

function NotFound({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation('agents')
  return (
    <Nothing
      title={t('empty.found')}
      action={
        <Button size="sm" onClick={onClear}>
          {t('empty.clear')}
        </Button>
      }
    />
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('agents')
  return (
    <Nothing
      title={t('loadFailed')}
      action={
        <Button size="sm" onClick={onRetry}>
          {t('retry')}
        </Button>
      }
    />
  )
}

function Nothing({ title, action }: { title: string; action?: ReactNode }) {
  return <EmptyState className="mt-5" title={title} action={action} />
}

function Waiting() {
  const { t } = useTranslation('common')
  return (
    <div className={grid} aria-busy>
      <span className="sr-only">{t('loading')}</span>
      {Array.from({ length: 6 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places without a content of their own.
        <Card key={index} className="grid grid-cols-[64px_1fr] gap-3.5 p-4">
          <Skeleton className="size-16 rounded-[16px]" />
          <div>
            <Skeleton className="my-1 h-4 w-2/3" />
            <Skeleton className="mt-2 h-[34px]" />
          </div>
          <Skeleton className="col-span-full mt-3 h-6" />
        </Card>
      ))}
    </div>
  )
}
