import { ChevronRight } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { useDocument, useSession, useView } from '@/document/use-session'
import { AGENT_INPUTS, AGENT_VERSION, type NodeType } from '@/graph/catalog'
import { type FlowNode, parseEnd } from '@/graph/document'
import { agentValues, titlesOf } from '@/graph/edits/agent-inputs'
import { setExposed } from '@/graph/edits/nodes'
import { inputPorts } from '@/graph/ports'
import { fieldsOf, isShown, type SettingField } from '@/graph/setting-fields'
import { AgentInputRow, LostAgentValue } from './agent-input-row'
import { AgentRow } from './agent-row'
import { InputRow } from './input-row'
import { SettingRow } from './setting-row'
import { LostUse } from './variable-menu'

/** All settings of the node, then the sources of its inputs. */
export function SettingsTab({ node, type }: { node: FlowNode; type: NodeType | undefined }) {
  const { t } = useTranslation('inspector')
  const form = useRef<HTMLDivElement>(null)
  useFocusWhenAsked(form)
  const edges = useDocument((flow) => flow.edges)
  if (!type) {
    return (
      <div className="rounded-m bg-sunken p-3.5">
        <p className="font-semibold">{t('missingType.title')}</p>
        <p className="mt-1 text-muted text-sm">{t('missingType.text', { type: node.type })}</p>
      </div>
    )
  }
  const agentInputs = type.agentInputs ?? []
  const titles = titlesOf(agentInputs)
  // Each input of an agent has a control of its own.
  const own = new Set<string>(
    type.subflow ? [AGENT_VERSION, ...(type.agentInputs ? [AGENT_INPUTS] : [])] : [],
  )
  const fields = fieldsOf(type).filter(({ name }) => !own.has(name))
  const sources = new Map(
    edges
      .filter((edge) => parseEnd(edge.to).node === node.id)
      .map((edge) => [parseEnd(edge.to).port, edge] as const),
  )
  const shown = fields.filter((field) => isShown(field, node, type, new Set(sources.keys())))
  const row = (field: SettingField) =>
    field.name === type.subflow ? (
      <AgentRow key={field.name} node={node} type={type} field={field} />
    ) : (
      <SettingRow key={field.name} node={node} type={type} field={field} source={sources.get(field.name)} />
    )
  const advanced = shown.filter((field) => field.advanced)
  const plain = shown.filter((field) => !field.advanced)
  const ports = inputPorts(node, type).filter((port) => !titles.has(port.name))
  const isKnown = (name: string) =>
    type.subflow ? !type.agentInputs || titles.has(name) : fields.some((field) => field.name === name)
  const lost = Object.keys(node.exposed ?? {}).filter((name) => !isKnown(name))
  const unused = type.agentInputs ? Object.keys(agentValues(node)).filter((name) => !titles.has(name)) : []
  const lostUses = Object.keys(node.variables ?? {}).filter((name) => !hasSetting(type, name))
  return (
    <div ref={form} className="flex flex-col gap-3.5">
      {lostUses.map((name) => (
        <LostUse key={name} node={node} use={name} />
      ))}
      {lost.map((name) => (
        <LostExposed key={name} node={node} name={name} />
      ))}
      {unused.map((name) => (
        <LostAgentValue key={name} node={node} name={name} />
      ))}
      {grouped(plain).map(({ group, members }) => (
        <fieldset key={group ?? ''} className="flex min-w-0 flex-col gap-3.5">
          {group && <legend className="mb-2 font-semibold text-faint text-xs">{group}</legend>}
          {members.map(row)}
        </fieldset>
      ))}
      {fields.length === 0 && <p className="text-muted text-sm">{t('noSettings')}</p>}
      {agentInputs.map((input) => (
        <AgentInputRow
          key={input.name}
          node={node}
          input={input}
          title={titles.get(input.name) ?? input.title}
          source={sources.get(input.name)}
        />
      ))}
      {ports.map((port) => (
        <InputRow key={port.name} node={node} port={port} edges={edges} />
      ))}
      {advanced.length > 0 && (
        <details className="group border-hairline border-t pt-3">
          <summary className="flex list-none items-center gap-1.5 font-semibold text-sm">
            <ChevronRight aria-hidden className="size-4 transition-transform group-open:rotate-90" />
            {t('advanced')}
          </summary>
          <div className="mt-3 flex flex-col gap-3.5">{advanced.map(row)}</div>
        </details>
      )}
    </div>
  )
}

/** A setting that launchers were offered and that the node's type no longer has. */
function LostExposed({ node, name }: { node: FlowNode; name: string }) {
  const { t } = useTranslation('inspector')
  const session = useSession()
  return (
    <div className="flex flex-col items-start gap-2 rounded-m bg-sunken p-3.5 text-sm">
      <p>{t('exposed.lost', { name })}</p>
      {session.canEdit && (
        <Button size="sm" onClick={() => session.edit((flow) => setExposed(flow, node.id, name, undefined))}>
          {t('exposed.hide')}
        </Button>
      )}
    </div>
  )
}

/** Whether a node of this type has the setting that a variable sets, itself or in the agent that it runs. */
function hasSetting(type: NodeType, name: string): boolean {
  const inner = `${AGENT_INPUTS}.`
  if (!type.subflow || !name.startsWith(inner)) return name in (type.settings.properties ?? {})
  return !type.agentInputs || type.agentInputs.some((input) => inner + input.name === name)
}

function grouped(fields: readonly SettingField[]): { group: string | null; members: SettingField[] }[] {
  const groups = new Map<string | null, SettingField[]>()
  for (const field of fields) groups.set(field.group, [...(groups.get(field.group) ?? []), field])
  return [...groups].map(([group, members]) => ({ group, members }))
}

/** Enter on a card moves the focus here. */
function useFocusWhenAsked(form: React.RefObject<HTMLDivElement | null>) {
  const asked = useView((view) => view.inspect)
  const seen = useRef(asked)
  useEffect(() => {
    if (asked === 0 || (seen.current === asked && asked === 0)) return
    seen.current = asked
    form.current
      ?.querySelector<HTMLElement>(
        'input:not([type=file]):not(:disabled), textarea, button:not(:disabled), [tabindex="0"]',
      )
      ?.focus()
  }, [asked, form])
}
