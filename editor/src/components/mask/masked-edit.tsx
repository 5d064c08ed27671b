import '@/lib/i18n/mask'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Brush } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgentPages } from '@/lib/agents/use-agent-pages'
import { messageOf } from '@/lib/api/error'
import type { FlowSummary } from '@/lib/api/flows'
import { useAttempt } from '@/lib/attempt'
import { AgentCover } from '../agent/agent-cover'
import { Dialog } from '../dialog'
import { LoadError } from '../load-error'
import { MoreItems } from '../more-items'
import { Skeleton } from '../surfaces'
import { createEditor } from './editor-agent'
import { LazyMaskDialog } from './lazy-mask'

export type MaskedEditProps = { imageId: string; onClose: () => void }

/**
 * Paints a mask on an image, then opens the prompt bar with both and an agent that edits inside a mask. Several such
 * agents are offered; without any, one is made for the user.
 */
export default function MaskedEdit({ imageId, onClose }: MaskedEditProps) {
  const [maskId, setMaskId] = useState<string | null>(null)
  if (maskId) return <ChooseAgent imageId={imageId} maskId={maskId} onClose={onClose} />
  return <LazyMaskDialog imageId={imageId} onCancel={onClose} onMask={({ id }) => setMaskId(id)} />
}

type ChooseAgentProps = MaskedEditProps & { maskId: string }

function ChooseAgent({ imageId, maskId, onClose }: ChooseAgentProps) {
  const { t } = useTranslation(['mask', 'agents'])
  const navigate = useNavigate()
  const query = useAgentPages({ includeAll: false, takes: ['mask'] })
  const attempt = useAttempt()
  const open = (agent: string) => {
    // The prompt takes the focus only if no dialog has it.
    onClose()
    void navigate({ to: '/', search: { agent, images: [imageId], mask: maskId } })
  }
  const making = useMutation({
    mutationFn: () => createEditor(t('agentName'), t('agentText'), attempt.keyOf('masked edit')),
    onSuccess: ({ id }) => open(id),
  })
  // What an agent takes is not known of those that were saved long ago.
  const agents = query.agents.filter(({ takes }) => takes?.includes('mask'))
  const isKnown = query.isSuccess && !query.isPlaceholderData
  const proceed = useEffectEvent(() => {
    const [only] = agents
    if (!only) making.mutate()
    else if (agents.length === 1) open(only.id)
  })
  useEffect(() => {
    if (isKnown) proceed()
  }, [isKnown])
  const failed = query.isLoadingError || making.isError
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={t('chooseAgent')}
      {...(agents.length > 1 && { description: t('chooseAgentHelp') })}
    >
      {failed ? (
        <LoadError
          text={`${t('agentFailed')} ${messageOf(making.error ?? query.error)}`}
          onRetry={() => (making.isError ? making.mutate() : void query.refetch())}
        />
      ) : agents.length > 1 ? (
        <ul className="scrollbar-quiet -mx-2 max-h-96 overflow-y-auto">
          {agents.map((agent) => (
            <li key={agent.id}>
              <AgentButton agent={agent} onPress={() => open(agent.id)} />
            </li>
          ))}
          <li>
            <MoreItems query={query} />
          </li>
        </ul>
      ) : (
        <div role="status" aria-label={t('preparingAgent')}>
          <Skeleton className="h-14" />
        </div>
      )}
    </Dialog>
  )
}

function AgentButton({ agent, onPress }: { agent: FlowSummary; onPress: () => void }) {
  return (
    <button
      type="button"
      onClick={onPress}
      className="flex w-full items-center gap-3 rounded-m px-2 py-2 text-left hover:bg-sunken"
    >
      <AgentCover src={agent.avatar_url} seed={agent.id} className="size-10 flex-none rounded-field" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{agent.name}</span>
        <span className="block truncate text-muted text-sm">{agent.description}</span>
      </span>
      <Brush aria-hidden className="size-4 flex-none text-muted" />
    </button>
  )
}
