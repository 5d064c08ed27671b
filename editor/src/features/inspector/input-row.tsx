import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { PortDot } from '@/components/port-dot'
import { useSession } from '@/document/use-session'
import type { FlowEdge, FlowNode } from '@/graph/document'
import { describePort, type Port } from '@/graph/ports'
import { ConnectionSource } from './connection-source'

type InputRowProps = { node: FlowNode; port: Port; edges: readonly FlowEdge[] }

/** An input port: what feeds it, or that nothing does yet. */
export function InputRow({ node, port, edges }: InputRowProps) {
  const { t } = useTranslation('inspector')
  const session = useSession()
  const feeding = edges.filter((edge) => edge.to === `${node.id}.${port.name}`)
  const connect = () =>
    session.view.setState({
      port: { end: { node: node.id, port: port.name }, side: 'target' },
      dialog: 'connect',
    })
  if (feeding.length > 0) {
    return feeding.map((edge) => <ConnectionSource key={edge.from} title={port.title} edge={edge} />)
  }
  return (
    <div className="flex flex-col gap-1.5">
      <span className="font-[550] text-sm">{port.title}</span>
      <div className="flex min-h-10 items-center gap-2.5 rounded-field border border-hairline-strong border-dashed pr-1.5 pl-3 text-muted">
        <PortDot type={port.type} list={port.list} />
        <span className="min-w-0 flex-1 truncate text-sm">
          {describePort(port)}, {port.required ? t('required').toLowerCase() : t('ports.optional')}
        </span>
        {session.canEdit && (
          <Button size="sm" variant="ghost" onClick={connect}>
            {t('connectHere')}
          </Button>
        )}
      </div>
    </div>
  )
}
