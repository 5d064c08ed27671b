import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog'
import { Switch } from '@/components/switch'
import { Kbd } from '@/components/tooltip'
import { useSession, useView } from '@/document/use-session'
import { setSingleKeyShortcuts, useSingleKeyShortcuts } from '@/lib/single-key-shortcuts'
import { commandsOf } from './commands'
import { formatShortcut } from './shortcut-keys'

/** The keyboard shortcuts, grouped by where they apply. */
export function Shortcuts() {
  const { t } = useTranslation('canvas')
  const { t: words } = useTranslation('keyboard')
  const session = useSession()
  const open = useView((view) => view.dialog === 'shortcuts')
  const commands = useMemo(() => commandsOf(session, t).filter(({ keys }) => keys), [session, t])
  const walking: Row[] = [
    ['Tab', words('list.nextNode')],
    ['F6', words('list.nextArea')],
    [formatShortcut('shift+F6'), words('list.previousArea')],
    ['/', words('list.add')],
    ['Esc', words('list.close')],
    ['F8', words('list.notifications')],
  ]
  const cards: Row[] = [
    ['Enter', words('list.open')],
    [words('list.space'), words('list.toggle')],
    ['Tab', words('list.nextField')],
    ['← ↑ → ↓', words('list.move')],
    [formatShortcut('shift+← ↑ → ↓'), words('list.moveFurther')],
    ['Enter', words('list.link')],
    [formatShortcut('delete'), words('list.unlink')],
  ]
  const others: Row[] = commands.map(({ keys, label }) => [formatShortcut(keys ?? ''), label])
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => session.view.open(next ? 'shortcuts' : null)}
      title={t('shortcuts.title')}
      size="lg"
    >
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <Rows title={words('list.navigation')} rows={walking} />
        <Rows title={words('list.nodes')} rows={cards} />
      </div>
      <Rows
        title={words('list.actions')}
        rows={[...others, [formatShortcut('mod+v'), t('menu.paste')]]}
        wide
      />
      <SingleKeys />
    </Dialog>
  )
}

type Row = readonly [keys: string, label: string]

function Rows({ title, rows, wide = false }: { title: string; rows: readonly Row[]; wide?: boolean }) {
  return (
    <section>
      <h3 className="mb-1 font-semibold text-faint text-xs">{title}</h3>
      <dl className={wide ? 'grid gap-x-8 sm:grid-cols-2' : undefined}>
        {rows.map(([keys, label]) => (
          <div key={`${keys} ${label}`} className="flex items-center gap-3 border-hairline border-b py-1.5">
            <dt className="flex-1">{label}</dt>
            <dd>
              <Kbd>{keys}</Kbd>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Setting that turns off shortcuts without Control or Command, for users of speech input. */
function SingleKeys() {
  const { t } = useTranslation('keyboard')
  const on = useSingleKeyShortcuts()
  return (
    <div className="flex items-center gap-4">
      <div className="flex-1">
        <p id="single-keys-label" className="font-[550] text-sm">
          {t('list.singleKey')}
        </p>
        <p id="single-keys-help" className="text-muted text-xs">
          {t('list.singleKeyHelp')}
        </p>
      </div>
      <Switch
        id="single-keys"
        aria-labelledby="single-keys-label"
        aria-describedby="single-keys-help"
        checked={on}
        onCheckedChange={setSingleKeyShortcuts}
      />
    </div>
  )
}
