import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AgentCover } from '@/components/agent/agent-cover'
import { Button } from '@/components/button'
import { Card, EmptyState, Skeleton } from '@/components/surfaces'
import type { Category } from '@/lib/agents/categories'
import { coversOf } from '@/lib/agents/cover'
import { type FlowSummary, ownFlowsQuery } from '@/lib/api/flows'

type UseCaseCount = { category: Category; agents: number }

/** The categories of the user's agents, the most frequent first. */
export function countUseCases(flows: readonly Pick<FlowSummary, 'mine' | 'category'>[]): UseCaseCount[] {
  const counts = new Map<Category, number>()
  for (const { mine, category } of flows) {
    if (mine) counts.set(category, (counts.get(category) ?? 0) + 1)
  }
  return [...counts]
    .map(([category, agents]) => ({ category, agents }))
    .sort((one, other) => other.agents - one.agents)
}

/** The user's use cases: the categories of the user's agents. */
export function VisualStack() {
  const { t } = useTranslation('account')
  const { data: flows, isPending } = useQuery(ownFlowsQuery)
  const cases = countUseCases(flows ?? [])
  const covers = coversOf(cases.map(({ category }) => category))
  return (
    <Card className="p-5.5">
      <h2 className="mb-1.5 font-serif text-title">{t('stack')}</h2>
      {isPending && <Skeleton className="mt-3 h-28" />}
      {flows && cases.length === 0 && (
        <EmptyState title={t('stackEmpty')} className="mt-3 py-8">
          {t('stackEmptyHelp')}
        </EmptyState>
      )}
      <ul>
        {cases.map(({ category, agents }) => (
          <UseCase key={category} category={category} agents={agents} cover={covers.get(category)} />
        ))}
      </ul>
    </Card>
  )
}

function UseCase({
  category,
  agents,
  cover,
}: {
  category: Category
  agents: number
  cover: string | undefined
}) {
  const { t } = useTranslation('account')
  const name = t(`category.${category}`, { ns: 'common' })
  return (
    <li className="grid grid-cols-[44px_minmax(0,1fr)_auto] items-center gap-3 border-hairline border-b py-3 last:border-0 last:pb-0">
      <AgentCover seed={category} gradient={cover} className="size-11 rounded-m" />
      <div>
        <h3 className="font-semibold">{name}</h3>
        <p className="text-muted text-xs">{t('agents', { count: agents })}</p>
      </div>
      <Button size="sm" asChild>
        <Link to="/flow" search={{ tab: 'own', category }} aria-label={t('openCategory', { category: name })}>
          {t('open')}
        </Link>
      </Button>
    </li>
  )
}
