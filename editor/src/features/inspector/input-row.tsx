import { Braces, Plus, Unlink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { IconButton } from '@/components/icon-button'
import { PortDot } from '@/components/type-icon'
import { VariableChip, VariableValue } from '@/components/variable/variable-chip'
import { useDocument, useSession } from '@/document/use-session'
import { insertVariable, showVariable } from '@/document/variable-actions'
import { titleOf } from '@/graph/connect'
import { type FlowEdge, type FlowNode, type FlowVariable, findNode, parseEnd } from '@/graph/document'
import { disconnect } from '@/graph/edits/edges'
import { describePort, type Port, portAt } from '@/graph/ports'
import { findVariable } from '@/graph/variables'

type InputRowProps = { node: FlowNode; port: Port; edges: readonly FlowEdge[] }

/** An input port with its source, or without one; an input that takes a list can have several. */
export function InputRow({ node, port, edges }: InputRowProps) {
  const { t } = useTranslation('inspector')
  const session = useSession()
  const feeding = edges.filter((edge) => edge.to === `${node.id}.${port.name}`)
  const variable = useDocument((flow) => findVariable(flow, port.name))
  const filling = port.kind === 'variable' ? variable : undefined
  const connect = () =>
    session.view.setState({
      port: { end: { node: node.id, port: port.name }, side: 'target' },
      dialog: 'connect',
    })
  if (feeding.length > 0) {
    return (
      <div className="flex flex-col gap-1.5">
        {feeding.map((edge, at) => (
          <ConnectionSource key={edge.from} title={at === 0 ? port.title : undefined} edge={edge} />
        ))}
        {session.canEdit && port.list && (
          <Button size="sm" variant="ghost" className="self-start" onClick={connect}>
            <Plus aria-hidden />
            {t('connectAnother')}
          </Button>
        )}
      </div>
    )
  }
  if (filling) return <FilledInput port={port} variable={filling} onConnect={connect} />
  return (
    <div className="flex flex-col gap-1.5">
      <span className="font-[550] text-sm">{port.title}</span>
      <div className="flex min-h-10 items-center gap-2.5 rounded-field border border-hairline-strong border-dashed pr-1.5 pl-3 text-muted">
        <PortDot type={port.type} list={port.list} />
        <span className="min-w-0 flex-1 truncate text-sm">
          {t(port.required ? 'ports.required' : 'ports.optional', { type: describePort(port) })}
        </span>
        {session.canEdit && port.kind === 'variable' && (
          <IconButton
            size="sm"
            label={t('variable.forPlace', { name: port.name })}
            icon={<Braces />}
            onClick={() => insertVariable(session, port.name, '', true)}
          />
        )}
        {session.canEdit && (
          <Button size="sm" variant="ghost" onClick={connect}>
            {t('connect')}
          </Button>
        )}
      </div>
    </div>
  )
}

type FilledInputProps = { port: Port; variable: FlowVariable; onConnect: () => void }

/** A placeholder of a template that a variable fills; an edge would go before it. */
function FilledInput({ port, variable, onConnect }: FilledInputProps) {
  const { t } = useTranslation('inspector')
  const session = useSession()
  return (
    <div className="flex flex-col gap-1.5">
      <span className="font-[550] text-sm">{port.title}</span>
      <div className="flex min-h-10 items-center gap-2.5 rounded-field border border-hairline bg-sunken pr-1.5 pl-2.5">
        <button
          type="button"
          aria-label={t('variable.open', { name: variable.name })}
          onClick={() => showVariable(session, variable.name)}
          className="flex min-w-0 flex-1 items-center gap-2 rounded-xs py-1.5 text-left text-muted text-sm hover:text-ink"
        >
          <VariableChip name={variable.name} className="max-w-[75%] flex-none" />
          <VariableValue variable={variable} />
        </button>
        {session.canEdit && (
          <Button size="sm" variant="ghost" onClick={onConnect}>
            {t('connect')}
          </Button>
        )}
      </div>
    </div>
  )
}

type ConnectionSourceProps = { title: string | undefined; edge: FlowEdge; isSetting?: boolean }

/** Shows the source of a setting or input, with a link to it and a button that disconnects it. */
export function ConnectionSource({ title, edge, isSetting = false }: ConnectionSourceProps) {
  const { t } = useTranslation('inspector')
  const session = useSession()
  const from = parseEnd(edge.from)
  const node = findNode(session.document, from.node)
  const port = portAt(node, session.catalog, from, 'source')
  const name = node ? titleOf(node, session.catalog) : from.node
  return (
    <div className="flex flex-col gap-1.5" data-setting-drop={isSetting ? edge.to : undefined}>
      {title && <span className="font-[550] text-sm">{title}</span>}
      <div className="flex min-h-10 items-center gap-2.5 rounded-field border border-hairline bg-sunken pr-1.5 pl-3">
        <PortDot type={port?.type ?? 'Any'} list={port?.list ?? false} />
        <button
          type="button"
          onClick={() => session.view.show(from.node)}
          className="min-w-0 flex-1 truncate text-left text-muted hover:text-ink"
        >
          {t(isSetting ? 'settingDrivenBy' : 'drivenBy', { title: name })}
        </button>
        {session.canEdit && (
          <IconButton
            size="sm"
            label={t('unlink')}
            icon={<Unlink />}
            onClick={() => session.edit((flow) => disconnect(flow, edge))}
          />
        )}
      </div>
    </div>
  )
}
