import { Command as Menu } from 'cmdk'
import { Dialog } from 'radix-ui'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { NodeTile } from '@/components/node/node-appearance'
import { panelItemClass, useReturnFocus } from '@/components/overlay'
import { overlayRoot } from '@/components/overlay-root'
import { Kbd } from '@/components/tooltip'
import { insertBesideSelected } from '@/document/actions'
import { useSession, useView } from '@/document/use-session'
import { titleOf } from '@/graph/connect'
import { classes } from '@/lib/classes'
import { commandsOf } from './commands'
import { formatShortcut } from './shortcut-keys'

/** The command palette: searches commands, nodes to go to and node types to add. */
export function CommandPalette() {
  const { t } = useTranslation('canvas')
  const { view } = useSession()
  const open = useView((state) => state.dialog === 'commands')
  const onCloseAutoFocus = useReturnFocus(open)
  return (
    <Dialog.Root open={open} onOpenChange={(next) => view.open(next ? 'commands' : null)}>
      <Dialog.Portal container={overlayRoot()}>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          data-modal
          onCloseAutoFocus={onCloseAutoFocus}
          className="fixed top-[14vh] left-1/2 z-50 w-[min(600px,calc(100vw-24px))] -translate-x-1/2 animate-fade overflow-hidden rounded-l border border-hairline bg-surface shadow-float"
        >
          <Dialog.Title className="sr-only">{t('commands.title')}</Dialog.Title>
          <CommandList close={() => view.open(null)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function CommandList({ close }: { close: () => void }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const commands = useMemo(() => commandsOf(session, t), [session, t])
  const usable = commands.filter(
    ({ id, edits, when }) => id !== 'commands' && (!edits || session.canEdit) && (when?.() ?? true),
  )
  const then = (act: () => void) => () => {
    close()
    act()
  }
  return (
    <Menu label={t('commands.search')} loop>
      <Menu.Input
        autoFocus
        placeholder={t('commands.search')}
        className="h-14 w-full border-hairline border-b bg-transparent px-5 text-md outline-none focus-visible:border-cobalt"
      />
      <Menu.List className="scrollbar-quiet max-h-[min(440px,56vh)] overflow-y-auto p-2">
        <Menu.Empty className="px-3 py-8 text-center text-muted">{t('commands.none')}</Menu.Empty>
        <Menu.Group heading={t('commands.actions')} className={groupLook}>
          {usable.map(({ id, label, keys, run }) => (
            <Menu.Item key={id} value={label} onSelect={then(run)} className={panelItemClass}>
              <span className="flex-1">{label}</span>
              {keys && <Kbd>{formatShortcut(keys)}</Kbd>}
            </Menu.Item>
          ))}
        </Menu.Group>
        <Menu.Group heading={t('commands.nodes')} className={groupLook}>
          {session.document.nodes.slice(0, 200).map((node) => (
            <Menu.Item
              key={node.id}
              value={`${titleOf(node, session.catalog)} ${node.id}`}
              onSelect={then(() => session.view.show(node.id))}
              className={panelItemClass}
            >
              <NodeTile type={session.catalog.typeOf(node)} />
              <span className="flex-1">{titleOf(node, session.catalog)}</span>
              <span className="font-mono text-faint text-micro">{node.id}</span>
            </Menu.Item>
          ))}
        </Menu.Group>
        {session.canEdit && (
          <Menu.Group heading={t('commands.add')} className={groupLook}>
            {session.catalog.types
              .filter((type) => !type.deprecated)
              .map((type) => (
                <Menu.Item
                  key={type.id}
                  value={`${t('commands.add')} ${type.title} ${type.summary}`}
                  onSelect={then(() => insertBesideSelected(session, type))}
                  className={panelItemClass}
                >
                  <NodeTile type={type} />
                  <span className="flex-1">{type.title}</span>
                </Menu.Item>
              ))}
          </Menu.Group>
        )}
      </Menu.List>
    </Menu>
  )
}

const groupLook = classes(
  '[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1',
  '[&_[cmdk-group-heading]]:font-semibold [&_[cmdk-group-heading]]:text-faint [&_[cmdk-group-heading]]:text-xs',
)
