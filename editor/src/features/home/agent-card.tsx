import { Check, Pencil } from 'lucide-react'
import { RadioGroup } from 'radix-ui'
import { useTranslation } from 'react-i18next'
import { BetaChip, KindIcons } from '@/components/agent/agent-badges'
import { AgentCover } from '@/components/agent/agent-cover'
import { IconButton } from '@/components/icon-button'
import { Card } from '@/components/surfaces'
import type { FlowSummary } from '@/lib/api/flows'
import { classes } from '@/lib/classes'

/** On phones the cover is beside the text: more agents fit, and the heading of the page stays its largest element. */
export const CARD_ON_PHONES = 'max-sm:grid max-sm:grid-cols-[130px_minmax(0,1fr)]'

type AgentCardProps = {
  agent: FlowSummary
  gradient: string | undefined
  chosen: boolean
  onIntent: () => void
  onEdit: () => void
}

/** One agent to select: the card is a radio button with an Edit button over it. */
export function AgentCard({ agent, gradient, chosen, onIntent, onEdit }: AgentCardProps) {
  const { t } = useTranslation('agents')
  const names = {
    name: `agent-${agent.id}-name`,
    about: `agent-${agent.id}-about`,
    beta: `agent-${agent.id}-beta`,
  }
  return (
    <div className="group relative">
      <Card asChild>
        <RadioGroup.Item
          value={agent.id}
          aria-labelledby={names.name}
          aria-describedby={agent.beta ? `${names.beta} ${names.about}` : names.about}
          onPointerEnter={onIntent}
          onFocus={onIntent}
          className={classes(
            CARD_ON_PHONES,
            'block w-full overflow-hidden text-left transition-[transform,box-shadow] hover:shadow-float motion-safe:hover:-translate-y-0.5',
            chosen && 'outline-2 outline-cobalt -outline-offset-1 focus-visible:outline-offset-2',
          )}
        >
          <AgentCover
            src={agent.avatar_url}
            seed={agent.id}
            gradient={gradient}
            className="h-33 max-sm:h-auto max-sm:min-h-28"
          >
            <KindIcons kinds={agent.kinds} className="absolute bottom-2.5 left-2.5" />
            {chosen && (
              <span className="absolute top-2.5 right-2.5 grid size-5.5 place-items-center rounded-pill bg-cobalt text-on-accent ring-[1.5px] ring-surface/70">
                <Check aria-hidden className="size-3.5 [stroke-width:2.5]!" />
              </span>
            )}
          </AgentCover>
          <span className="block min-w-0 self-center px-4 pt-3 pb-4 max-sm:py-3">
            <span className="flex min-h-6 items-center gap-2.5">
              <span
                id={names.name}
                className={classes(
                  'min-w-0 flex-1 truncate font-semibold text-base',
                  agent.permissions.edit && 'max-sm:mr-6',
                )}
                title={agent.name}
              >
                {agent.name}
              </span>
              {agent.beta && <BetaChip id={names.beta} className="-my-0.5" />}
            </span>
            <span
              id={names.about}
              className="mt-1 line-clamp-2 h-[38px] text-muted text-sm max-sm:line-clamp-3 max-sm:h-auto"
            >
              {agent.description}
            </span>
          </span>
        </RadioGroup.Item>
      </Card>
      {agent.permissions.edit && (
        <IconButton
          size="sm"
          variant="quiet"
          label={t('editOf', { name: agent.name })}
          icon={<Pencil />}
          onClick={onEdit}
          className={classes(
            'absolute top-2 right-2 opacity-0 transition-opacity focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100',
            chosen && 'sm:right-10',
          )}
        />
      )}
    </div>
  )
}
