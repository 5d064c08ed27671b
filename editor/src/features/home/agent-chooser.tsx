import { Plus } from 'lucide-react'
import { RadioGroup } from 'radix-ui'
import { memo, useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CreateAgent, EditAgent } from '@/components/agent/lazy-dialogs'
import { Button } from '@/components/button'
import { lazyPart } from '@/components/lazy-part'
import { MoreItems } from '@/components/more-items'
import { SearchField } from '@/components/search-field'
import { Card, EmptyState, Skeleton } from '@/components/surfaces'
import { Tab, TabPanel, TabRow, Tabs } from '@/components/tabs'
import type { AgentTab } from '@/lib/agents/categories'
import { coversOf } from '@/lib/agents/cover'
import { useAgentPages } from '@/lib/agents/use-agent-pages'
import { type FlowSummary, flowQuery } from '@/lib/api/flows'
import { queryClient } from '@/lib/query-client'
import { useTypedText } from '@/lib/use-typed-text'
import { AgentCard, CARD_ON_PHONES } from './agent-card'

type AgentChooserProps = {
  chosen: string | null
  onChoose: (id: string) => void
  /** Null while it is unknown which tab the selected agent is in. */
  tab: AgentTab | null
  onTab: (tab: AgentTab) => void
}

// Shown only where the list is empty.
const NoAgents = lazyPart(async () => (await import('./no-agents')).NoAgents)

const grid = 'grid grid-cols-1 gap-4.5 max-sm:gap-3 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4'

/** Two tabs of agents with a search; one agent is selected. Typing a prompt does not render its cards again. */
export const AgentChooser = memo(function AgentChooser({ chosen, onChoose, tab, onTab }: AgentChooserProps) {
  const { t } = useTranslation(['home', 'agents', 'common'])
  const [search, setSearch] = useState('')
  const [text, setText] = useTypedText(search, setSearch)
  const [creating, setCreating] = useState(false)
  const [edited, setEdited] = useState<FlowSummary | null>(null)
  const product = t('common:product')
  const shared = {
    search,
    chosen,
    onChoose,
    onEdit: setEdited,
    onCreate: () => setCreating(true),
    onClear: () => setText(''),
  }
  return (
    <section aria-label={t('home:chooser')} className="mx-auto mt-11 max-w-280">
      <Tabs value={tab ?? ''} onValueChange={(next) => onTab(next as AgentTab)}>
        <TabRow
          className="mb-4.5 flex-wrap max-sm:gap-y-3 max-sm:pb-0"
          aria-label={t('home:chooser')}
          aside={
            <div className="flex items-center gap-3 pb-2 max-sm:order-first max-sm:w-full max-sm:justify-between">
              <SearchField
                value={text}
                onChange={setText}
                label={t('home:searchLabel')}
                placeholder={t('home:searchOpen')}
                quiet
              />
              <Button size="sm" onClick={() => setCreating(true)}>
                <Plus aria-hidden />
                {t('home:create')}
              </Button>
            </div>
          }
        >
          <Tab value="product">{t('agents:tab.product', { product })}</Tab>
          <Tab value="own">{t('agents:tab.own')}</Tab>
        </TabRow>
        {!tab && <WaitingGrid />}
        <TabPanel value="product" tabIndex={-1}>
          <AgentGrid tab="product" {...shared} />
        </TabPanel>
        <TabPanel value="own" tabIndex={-1}>
          <AgentGrid tab="own" {...shared} />
        </TabPanel>
      </Tabs>
      <CreateAgent open={creating} onOpenChange={setCreating} />
      <EditAgent agent={edited} onClose={() => setEdited(null)} />
    </section>
  )
})

type AgentGridProps = {
  tab: AgentTab
  search: string
  chosen: string | null
  onChoose: (id: string) => void
  onEdit: (agent: FlowSummary) => void
  onCreate: () => void
  onClear: () => void
}

function AgentGrid({ tab, search, chosen, onChoose, onEdit, ...actions }: AgentGridProps) {
  const { t } = useTranslation('home')
  const query = useAgentPages({ includeAll: false, mine: tab === 'own', text: search })
  const { agents, isLoadingError, refetch } = query
  // The cards are rendered in slices, and not at once with the answer: taps are answered in between.
  const wasPending = useDeferredValue(query.isPending)
  const covers = useMemo(() => coversOf(agents.map(({ id }) => id)), [agents])
  if (query.isPending || wasPending) return <WaitingGrid />
  if (isLoadingError) return <LoadFailed onRetry={() => void refetch()} />
  if (agents.length === 0) return <NoAgents tab={tab} searching={search !== ''} {...actions} />
  return (
    <>
      <RadioGroup.Root
        value={chosen ?? ''}
        onValueChange={onChoose}
        // The arrow keys stay at the end while the next page is loading.
        loop={!query.hasNextPage}
        aria-label={t('chooser')}
        className={grid}
      >
        {agents.map((agent) => (
          <AgentCard
            key={agent.id}
            agent={agent}
            gradient={covers.get(agent.id)}
            chosen={agent.id === chosen}
            onIntent={() => void queryClient.prefetchQuery(flowQuery(agent.id))}
            onEdit={() => onEdit(agent)}
          />
        ))}
      </RadioGroup.Root>
      <MoreItems query={query} />
    </>
  )
}

function WaitingGrid() {
  const { t } = useTranslation('common')
  return (
    <div className={grid} aria-busy>
      <span className="sr-only">{t('loading')}</span>
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places without a content of their own.
        <Card key={index} className={`${CARD_ON_PHONES} overflow-hidden`}>
          <Skeleton className="h-33 rounded-none max-sm:h-28" />
          <div className="px-4 pt-3 pb-4 max-sm:self-center max-sm:py-3">
            <Skeleton className="my-1 h-4 w-1/2" />
            <Skeleton className="mt-2.5 h-[33px]" />
          </div>
        </Card>
      ))}
    </div>
  )
}

function LoadFailed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation(['agents', 'common'])
  return (
    <EmptyState
      title={t('agents:loadFailed')}
      action={
        <Button size="sm" onClick={onRetry}>
          {t('common:retry')}
        </Button>
      }
    />
  )
}
