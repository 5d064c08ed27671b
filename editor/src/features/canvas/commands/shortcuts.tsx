import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog'
import { Kbd } from '@/components/kbd'
import { useSession, useView } from '@/document/use-session'
import { commandsOf } from './commands'
import { shown } from './keys'

/** What every key does. */
export function Shortcuts() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const open = useView((view) => view.sheet === 'shortcuts')
  const commands = useMemo(() => commandsOf(session, t).filter(({ keys }) => keys), [session, t])
  const fixed: [string, string][] = [
    ['Tab', t('shortcuts.walk')],
    ['Enter', t('shortcuts.open')],
    ['← ↑ → ↓', t('shortcuts.move')],
    ['Tab', t('shortcuts.port')],
    ['Enter', t('shortcuts.link')],
    ['/', t('shortcuts.add')],
    ['Esc', t('shortcuts.leave')],
    [shown('mod+v'), t('menu.paste')],
  ]
  const rows = [...fixed, ...commands.map(({ keys, label }) => [shown(keys ?? ''), label] as const)]
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => session.view.open(next ? 'shortcuts' : null)}
      title={t('shortcuts.title')}
      size="lg"
    >
      <dl className="grid gap-x-8 gap-y-1 sm:grid-cols-2">
        {rows.map(([keys, label]) => (
          <div key={`${keys} ${label}`} className="flex items-center gap-3 border-hairline border-b py-1.5">
            <dt className="flex-1">{label}</dt>
            <dd>
              <Kbd>{keys}</Kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
