import { useMutation, useQueryClient } from '@tanstack/react-query'
import { LayoutTemplate } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { KindIcons } from '@/components/agent/agent-badges'
import { AgentCover } from '@/components/agent/agent-cover'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { LoadError } from '@/components/load-error'
import { MoreItems } from '@/components/more-items'
import { EmptyState, Skeleton } from '@/components/surfaces'
import { insertFragment } from '@/document/actions'
import { useSession, useView } from '@/document/use-session'
import { groupsOf } from '@/graph/document'
import { parseDocument } from '@/graph/parse'
import { useAgentPages } from '@/lib/agents/use-agent-pages'
import { type FlowSummary, flowQuery } from '@/lib/api/flows'
import { useExclusiveMutate } from '@/lib/attempt'
import { classes } from '@/lib/classes'
import { toastError } from '@/lib/toasts'

/** Published agents whose nodes can be added to this one. */
export function TemplateDialog() {
  const { t } = useTranslation('canvas')
  const { view } = useSession()
  const open = useView((state) => state.dialog === 'templates')
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => view.open(next ? 'templates' : null)}
      title={t('templates.title')}
      description={t('templates.text')}
      size="lg"
    >
      <Templates />
    </Dialog>
  )
}

const FIRST_LENGTH = 3
const FIRST_TITLE_ID = 'first-templates'
/** On a narrow screen two of them. A low window has room for the button below only. */
const FIRST_LIST =
  'my-2 grid w-full grid-cols-2 gap-3 max-sm:[&>:nth-child(3)]:hidden sm:grid-cols-3 [@media(height<620px)]:hidden'

/** The first templates, for an empty canvas, which takes the pointer between them. Nothing if there are none. */
export function FirstTemplates() {
  const { t } = useTranslation('canvas')
  const { view } = useSession()
  const { offered, query, isInserting, insert } = useTemplates()
  if (query.isLoadingError) {
    return (
      <div className="pointer-events-auto">
        <LoadError text={t('templates.notLoaded')} onRetry={() => void query.refetch()} />
      </div>
    )
  }
  if (query.isPending) return <FirstTemplatesSkeleton />
  if (offered.length === 0) return null
  return (
    <section aria-labelledby={FIRST_TITLE_ID}>
      <h3 id={FIRST_TITLE_ID} className="text-muted text-sm">
        {t('templates.title')}
      </h3>
      <ul className={FIRST_LIST}>
        {offered.slice(0, FIRST_LENGTH).map((agent) => (
          <li key={agent.id} className="pointer-events-auto">
            <Template agent={agent} disabled={isInserting} onUse={() => void insert(agent.id)} isSmall />
          </li>
        ))}
      </ul>
      {(offered.length > FIRST_LENGTH || query.hasNextPage) && (
        <Button className="pointer-events-auto" onClick={() => view.open('templates')}>
          <LayoutTemplate />
          {t('templates.all')}
        </Button>
      )}
    </section>
  )
}

function FirstTemplatesSkeleton() {
  return (
    <div className={FIRST_LIST}>
      <Skeleton className="h-31" />
      <Skeleton className="h-31" />
      <Skeleton className="h-31" />
    </div>
  )
}

function Templates() {
  const { t } = useTranslation('canvas')
  const { offered, query, isInserting, insert } = useTemplates()
  if (query.isLoadingError) {
    return <LoadError text={t('templates.notLoaded')} onRetry={() => void query.refetch()} />
  }
  if (query.isPending) return <Skeleton className="h-40" />
  if (offered.length === 0 && !query.hasNextPage)
    return <EmptyState icon={<LayoutTemplate />} title={t('templates.none')} />
  return (
    <>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-3 sm:grid-cols-2 md:grid-cols-3">
        {offered.map((agent) => (
          <li key={agent.id}>
            <Template agent={agent} disabled={isInserting} onUse={() => void insert(agent.id)} />
          </li>
        ))}
      </ul>
      <MoreItems query={query} />
    </>
  )
}

/** The agents whose nodes can be added to this one, and what adds them, as one step of undo. */
function useTemplates() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const queries = useQueryClient()
  const query = useAgentPages({ includeAll: false })
  const use = useMutation({
    mutationFn: (id: string) => queries.fetchQuery(flowQuery(id)),
    onSuccess: ({ flow }) => {
      const document = parseDocument(flow)
      session.view.open(null)
      insertFragment(session, { ...document, groups: groupsOf(document) })
      session.viewport?.fit()
    },
    onError: (failure) => toastError(t('templates.failed'), failure),
  })
  // The nodes of an agent in private beta would run without an invitation.
  const offered = query.agents.filter(({ id, beta }) => id !== session.flowId && !beta)
  return { offered, query, isInserting: use.isPending, insert: useExclusiveMutate(use) }
}

type TemplateProps = { agent: FlowSummary; disabled: boolean; onUse: () => void; isSmall?: boolean }

function Template({ agent, disabled, onUse, isSmall = false }: TemplateProps) {
  return (
    <button
      type="button"
      disabled={disabled}
      onClick={onUse}
      className="block w-full overflow-hidden rounded-m border border-hairline bg-surface text-left hover:shadow-float"
    >
      <AgentCover src={agent.avatar_url} seed={agent.id} className={isSmall ? 'h-22' : 'h-28'}>
        <KindIcons kinds={agent.kinds} className="absolute bottom-2.5 left-2.5" />
      </AgentCover>
      <span className={classes('block', isSmall ? 'px-3 py-2' : 'px-3.5 pt-2.5 pb-3.5')}>
        <span className="block truncate font-semibold">{agent.name}</span>
        {!isSmall && <span className="mt-0.5 line-clamp-2 text-muted text-sm">{agent.description}</span>}
      </span>
    </button>
  )
}
