import { Plus } from 'lucide-react'
import { RadioGroup } from 'radix-ui'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgentPages } from '@/lib/agents/use-agent-pages'
import type { FlowSummary } from '@/lib/api/flows'
import { AgentCover } from './agent-cover'

type TemplateFieldProps = {
  /** The id of the chosen agent; null for an empty canvas. */
  value: string | null
  onChange: (template: FlowSummary | null) => void
}

const NONE = 'none'

/** Published agents with whose nodes a new agent can begin. Nothing while none is known. */
export function TemplateField({ value, onChange }: TemplateFieldProps) {
  const { t } = useTranslation('agents')
  const { agents } = useAgentPages({ includeAll: false })
  // The nodes of an agent in private beta would run without an invitation.
  const offered = agents.filter(({ beta }) => !beta)
  if (offered.length === 0) return null
  return (
    <div>
      <p id="agent-template" className="mb-1.5 font-semibold text-sm">
        {t('form.template')}
      </p>
      <RadioGroup.Root
        value={value ?? NONE}
        onValueChange={(next) => onChange(offered.find(({ id }) => id === next) ?? null)}
        orientation="horizontal"
        aria-labelledby="agent-template"
        className="scrollbar-quiet -mx-1 flex gap-2.5 overflow-x-auto p-1 max-sm:grid max-sm:grid-cols-3 max-sm:overflow-visible"
      >
        <Option value={NONE} name={t('form.noTemplate')}>
          <span className="grid h-18 place-items-center bg-sunken text-muted">
            <Plus aria-hidden className="size-5" />
          </span>
        </Option>
        {offered.map((agent) => (
          <Option key={agent.id} value={agent.id} name={agent.name} title={agent.description}>
            <AgentCover src={agent.avatar_url} seed={agent.id} className="h-18" />
          </Option>
        ))}
      </RadioGroup.Root>
    </div>
  )
}

type OptionProps = { value: string; name: string; title?: string; children: ReactNode }

function Option({ value, name, title, children }: OptionProps) {
  return (
    <RadioGroup.Item
      value={value}
      aria-label={name}
      title={title}
      className="w-32 min-w-0 flex-none max-sm:w-auto overflow-hidden rounded-m border border-hairline bg-surface text-left hover:border-hairline-strong data-[state=checked]:border-ink data-[state=checked]:ring-1 data-[state=checked]:ring-ink"
    >
      {children}
      <span className="block px-2.5 py-2 font-medium text-xs max-sm:px-2 sm:truncate">{name}</span>
    </RadioGroup.Item>
  )
}
