import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { useSession } from '@/document/use-session'
import { AGENT_INPUTS, type AgentInput } from '@/graph/catalog'
import type { FlowEdge, FlowNode } from '@/graph/document'
import { agentValues, setAgentValue } from '@/graph/edits/agent-inputs'
import { ValueRow } from './setting-row'

type AgentInputRowProps = { node: FlowNode; input: AgentInput; title: string; source: FlowEdge | undefined }

/** A setting or input of the agent that the node runs, with the control that the agent's own form has. */
export function AgentInputRow({ node, input, title, source }: AgentInputRowProps) {
  const session = useSession()
  const { name, schema, typeId, setting, required = false } = input
  const values = agentValues(node)
  return (
    <ValueRow
      node={node}
      field={{ name, title, schema, required, advanced: false, main: false, group: null }}
      setting={setting}
      use={`${AGENT_INPUTS}.${name}`}
      source={source}
      typeId={typeId}
      value={name in values ? values[name] : schema.default}
      isSet={name in values}
      canExpose={canOffer(input)}
      canDrive
      onChange={(next) =>
        session.edit((flow) => setAgentValue(flow, node.id, name, next ?? undefined), `${node.id}.${name}`)
      }
    />
  )
}

/** Launchers choose files and brands in places of their own, so an agent takes those through its input nodes. */
function canOffer({ type }: AgentInput): boolean {
  return !['Image', 'Video', 'Audio', 'File', 'Brand'].includes(type)
}

/** A value for an input that the agent no longer has. */
export function LostAgentValue({ node, name }: { node: FlowNode; name: string }) {
  const { t } = useTranslation('inspector')
  const session = useSession()
  return (
    <div className="flex flex-col items-start gap-2 rounded-m bg-sunken p-3.5 text-sm">
      <p>{t('agentInput.lost', { name })}</p>
      {session.canEdit && (
        <Button
          size="sm"
          onClick={() => {
            session.edit((flow) => setAgentValue(flow, node.id, name, undefined))
            session.flow.settle()
          }}
        >
          {t('agentInput.remove')}
        </Button>
      )}
    </div>
  )
}
