import { Link, useNavigate } from '@tanstack/react-router'
import {
  Archive,
  ArchiveRestore,
  Copy,
  Download,
  Ellipsis,
  Globe,
  Lock,
  Pencil,
  Sparkle,
  SquarePen,
  Trash2,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { BetaChip, KindIcons } from '@/components/agent/agent-badges'
import { AgentCover } from '@/components/agent/agent-cover'
import { StatusChip } from '@/components/chip'
import { IconButton } from '@/components/icon-button'
import { Menu, MenuItem, MenuSeparator } from '@/components/menu'
import { Card } from '@/components/surfaces'
import type { FlowSummary } from '@/lib/api/flows'
import { classes } from '@/lib/classes'
import type { AgentActions } from './use-agent-actions'

type AgentRowProps = {
  agent: FlowSummary
  gradient: string | undefined
  actions: AgentActions
  onEdit: () => void
  onIntent: () => void
}

/** One agent of the list: the card opens it, the menu has the other actions. */
export function AgentRow({ agent, gradient, actions, onEdit, onIntent }: AgentRowProps) {
  return (
    <li className="relative" onPointerEnter={onIntent}>
      <Card asChild>
        <Link
          to="/flow/$flowId"
          params={{ flowId: agent.id }}
          onFocus={onIntent}
          aria-labelledby={`agent-${agent.id}`}
          className="grid grid-cols-[64px_1fr] gap-3.5 p-4 transition-[box-shadow,transform] hover:shadow-float motion-safe:hover:-translate-y-0.5"
        >
          <AgentCover
            src={agent.avatar_url}
            seed={agent.id}
            gradient={gradient}
            className="size-16 rounded-[16px]"
          />
          <div className="min-w-0">
            <div className="flex min-h-6 items-center gap-2 pr-8">
              <h2
                id={`agent-${agent.id}`}
                className="min-w-0 truncate font-semibold text-base"
                title={agent.name}
              >
                {agent.name}
              </h2>
              <KindIcons kinds={agent.kinds} bare className="ml-auto" />
            </div>
            <AgentSummary agent={agent} />
          </div>
          <AgentFacts agent={agent} />
        </Link>
      </Card>
      <AgentMenu agent={agent} actions={actions} onEdit={onEdit} />
    </li>
  )
}

/** What the agent does, or why an admin has unpublished it. */
function AgentSummary({ agent }: { agent: FlowSummary }) {
  const { t } = useTranslation('common')
  const reason = agent.withheld_reason
  const text = reason ? t('withheld.card', { reason }) : agent.description
  return (
    <p
      className={classes('mt-[3px] line-clamp-2 min-h-[38px] text-sm', reason ? 'text-madder' : 'text-muted')}
      title={reason ? text : undefined}
    >
      {text}
    </p>
  )
}

/** The footer of the card: status, category, visibility. */
function AgentFacts({ agent }: { agent: FlowSummary }) {
  const { t } = useTranslation(['agents', 'common'])
  const VisibilityIcon = agent.visibility === 'public' ? Globe : Lock
  return (
    <div className="col-span-full flex items-center gap-2 border-hairline border-t pt-3 text-[12.5px] text-muted">
      <StatusChip status={agent.status} withheld={agent.withheld} />
      {agent.beta && <BetaChip />}
      <span className="min-w-0 truncate">{t(`common:category.${agent.category}`)}</span>
      {agent.unpublished_changes && agent.status !== 'draft' && (
        <span
          className="size-1.5 flex-none rounded-pill bg-ochre"
          role="img"
          aria-label={t('agents:unpublished')}
          title={t('agents:unpublished')}
        />
      )}
      <span className="flex-1" />
      <span className="flex items-center gap-1.5">
        <VisibilityIcon aria-hidden className="size-3.5" />
        {t(`common:visibility.${agent.visibility}`)}
      </span>
    </div>
  )
}

function AgentMenu({ agent, actions, onEdit }: Pick<AgentRowProps, 'agent' | 'actions' | 'onEdit'>) {
  const { t } = useTranslation('agents')
  const navigate = useNavigate()
  const { edit, run } = agent.permissions
  return (
    <Menu
      trigger={
        <IconButton
          size="sm"
          tooltip={false}
          label={t('menuOf', { name: agent.name })}
          icon={<Ellipsis />}
          className="absolute top-3 right-3 text-muted"
        />
      }
    >
      {run && agent.status !== 'draft' && (
        <MenuItem icon={<Sparkle />} onSelect={() => void navigate({ to: '/', search: { agent: agent.id } })}>
          {t('launch')}
        </MenuItem>
      )}
      <MenuItem
        icon={<SquarePen />}
        onSelect={() => void navigate({ to: '/flow/$flowId', params: { flowId: agent.id } })}
      >
        {t('openShort')}
      </MenuItem>
      {edit && (
        <MenuItem icon={<Pencil />} onSelect={onEdit}>
          {t('edit')}
        </MenuItem>
      )}
      <MenuItem icon={<Copy />} onSelect={() => actions.duplicate(agent)}>
        {t('duplicate')}
      </MenuItem>
      <MenuItem icon={<Download />} onSelect={() => actions.exportFile(agent)}>
        {t('export')}
      </MenuItem>
      {edit && agent.status !== 'draft' && (
        <MenuItem
          icon={agent.status === 'published' ? <Archive /> : <ArchiveRestore />}
          onSelect={() => (agent.status === 'published' ? actions.deprecate(agent) : actions.restore(agent))}
        >
          {t(agent.status === 'published' ? 'deprecate' : 'restore')}
        </MenuItem>
      )}
      {edit && (
        <>
          <MenuSeparator />
          <MenuItem icon={<Trash2 />} danger onSelect={() => actions.remove(agent)}>
            {t('delete')}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
