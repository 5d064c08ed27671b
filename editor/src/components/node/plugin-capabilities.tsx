import { useTranslation } from 'react-i18next'
import type { Plugin } from '@/graph/catalog'

/** What a plugin declares to need, a sentence for each kind. */
export function PluginCapabilities({ plugin }: { plugin: Plugin }) {
  const { t } = useTranslation('palette')
  const declared = plugin.capabilities
  if (!declared) return <p className="text-muted text-sm">{t('plugins.undeclared')}</p>
  const { network, files, environment } = declared
  const sentences = [
    network.includes('*')
      ? t('plugins.anyHost')
      : network.length > 0
        ? t('plugins.hosts', { hosts: network.join(', ') })
        : t('plugins.noNetwork'),
    t(declared.subprocess ? 'plugins.subprocess' : 'plugins.noSubprocess'),
    ...(files.read.length > 0 ? [t('plugins.reads', { paths: files.read.join(', ') })] : []),
    ...(files.write.length > 0 ? [t('plugins.writes', { paths: files.write.join(', ') })] : []),
    ...(files.read.length + files.write.length === 0 ? [t('plugins.noFiles')] : []),
    environment.length > 0
      ? t('plugins.environment', { names: environment.join(', ') })
      : t('plugins.noEnvironment'),
  ]
  return (
    <ul className="flex flex-col gap-1 break-words text-muted text-sm">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}
