import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog'
import { PluginCapabilities } from '@/components/node/plugin-capabilities'
import type { CatalogData } from '@/graph/catalog'

type PluginsDialogProps = { catalog: CatalogData; onClose: () => void }

/** The installed plugins: what they declare to need, and those that were not loaded. */
export function PluginsDialog({ catalog, onClose }: PluginsDialogProps) {
  const { t } = useTranslation('palette')
  const { plugins = [], refused = [], broken } = catalog
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('plugins.title')}
      description={t('plugins.description')}
    >
      <ul className="flex flex-col divide-y divide-hairline">
        {plugins.map((plugin) => (
          <li key={plugin.package} className="flex flex-col gap-1.5 py-3">
            <h3 className="font-semibold">
              {plugin.package} <span className="font-normal text-muted text-sm">{plugin.version}</span>
            </h3>
            <PluginCapabilities plugin={plugin} />
          </li>
        ))}
        {refused.map(({ package: name, reason, hint }) => (
          <Unloaded key={name} name={name} state={t('plugins.refused')} lines={[reason, hint]} />
        ))}
        {broken.map(({ name, package: origin, error }) => (
          <Unloaded
            key={`${origin} ${name}`}
            name={origin ? `${origin}: ${name}` : name}
            state={t('plugins.broken')}
            lines={[error]}
          />
        ))}
      </ul>
    </Dialog>
  )
}

function Unloaded({ name, state, lines }: { name: string; state: string; lines: readonly string[] }) {
  return (
    <li className="flex flex-col gap-1.5 py-3">
      <h3 className="font-semibold">
        {name} <span className="font-normal text-ochre-text text-sm">{state}</span>
      </h3>
      {lines.map((line) => (
        <p key={line} className="break-words text-muted text-sm first-letter:uppercase">
          {line}
        </p>
      ))}
    </li>
  )
}
