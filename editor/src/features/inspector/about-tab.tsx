import { useTranslation } from 'react-i18next'
import { Markdown } from '@/components/markdown'
import { PluginCapabilities } from '@/components/node/plugin-capabilities'
import { PortDot } from '@/components/type-icon'
import { useCatalog } from '@/document/use-session'
import type { NodeType } from '@/graph/catalog'
import type { FlowNode } from '@/graph/document'
import { describePort, inputPorts, outputPorts, type Port } from '@/graph/ports'

/** The help of the node and its ports. */
export function AboutTab({ node, type }: { node: FlowNode; type: NodeType | undefined }) {
  const { t } = useTranslation('inspector')
  const { plugins = [] } = useCatalog().data
  const plugin = plugins.find(({ package: name }) => name === type?.package)
  if (!type) return <p className="text-muted">{t('missingType.text', { type: node.type })}</p>
  return (
    <div className="flex flex-col gap-4">
      <Markdown className="text-sm">{type.help || type.summary}</Markdown>
      <Ports title={t('ports.inputs')} ports={inputPorts(node, type)} inputs />
      <Ports title={t('ports.outputs')} ports={outputPorts(node, type)} />
      <p className="border-hairline border-t pt-3 text-muted text-xs">
        {t('version', { version: type.version })}
        {type.package && ` · ${t('package', { name: type.package })}`}
      </p>
      {plugin && (
        <section>
          <h3 className="mb-1.5 font-semibold text-faint text-xs">{t('plugin')}</h3>
          <PluginCapabilities plugin={plugin} />
        </section>
      )}
    </div>
  )
}

function Ports({
  title,
  ports,
  inputs = false,
}: {
  title: string
  ports: readonly Port[]
  inputs?: boolean
}) {
  const { t } = useTranslation('inspector')
  return (
    <section>
      <h3 className="mb-1.5 font-semibold text-faint text-xs">{title}</h3>
      {ports.length === 0 && <p className="text-muted text-sm">{t('ports.none')}</p>}
      <ul className="flex flex-col gap-2">
        {ports.map((port) => (
          <li key={port.name} className="flex items-start gap-2.5">
            <PortDot type={port.type} list={port.list} className="mt-1" />
            <div className="min-w-0 flex-1 text-sm">
              <span className="font-[550]">{port.title}</span>{' '}
              <span className="text-muted">
                {inputs && !port.required
                  ? t('ports.optional', { type: describePort(port) })
                  : describePort(port)}
              </span>
              {port.help && <p className="text-muted text-xs">{port.help}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
