import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AgentCover } from '@/components/agent/agent-cover'
import { Dialog } from '@/components/dialog'
import { MoreItems } from '@/components/more-items'
import { EmptyState, Skeleton } from '@/components/surfaces'
import { useAgentPages } from '@/lib/agents/use-agent-pages'
import type { Asset } from '@/lib/api/assets'

type SendDialogProps = { assets: readonly Asset[]; onClose: () => void }

/** Selects an agent that takes these files: opens the prompt bar with both. */
export function SendDialog({ assets, onClose }: SendDialogProps) {
  const { t } = useTranslation(['assets', 'agents'])
  const navigate = useNavigate()
  // Of agents whose inputs are not known, the prompt bar says what they take.
  const takes = [...new Set(assets.flatMap(({ kind }) => (kind === 'file' ? [] : kind)))].sort()
  const query = useAgentPages({ includeAll: false, takes }, { enabled: assets.length > 0 })
  const { agents, isPending } = query
  return (
    <Dialog
      open={assets.length > 0}
      onOpenChange={(open) => !open && onClose()}
      title={t('assets:sendTitle')}
      description={t('assets:sendHelp')}
    >
      {!isPending && agents.length === 0 && <EmptyState title={t('assets:sendNone')} />}
      <ul className="scrollbar-quiet -mx-2 max-h-96 overflow-y-auto">
        {isPending && <Skeleton className="mx-2 h-40" />}
        {agents.map((agent) => (
          <li key={agent.id}>
            <button
              type="button"
              onClick={() =>
                void navigate({ to: '/', search: { agent: agent.id, images: assets.map(({ id }) => id) } })
              }
              className="flex w-full items-center gap-3 rounded-m px-2 py-2 text-left hover:bg-sunken"
            >
              <AgentCover
                src={agent.avatar_url}
                seed={agent.id}
                className="size-10 flex-none rounded-field"
              />
              <span className="min-w-0">
                <span className="block truncate font-semibold">{agent.name}</span>
                <span className="block truncate text-muted text-sm">{agent.description}</span>
              </span>
            </button>
          </li>
        ))}
        <li>
          <MoreItems query={query} />
        </li>
      </ul>
    </Dialog>
  )
}
