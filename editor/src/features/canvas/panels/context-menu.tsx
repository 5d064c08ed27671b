import { Fragment, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { MenuItem, MenuSeparator, SubMenu } from '@/components/menu'
import { PointMenu } from '@/components/point-menu'
import { useSession, useView } from '@/document/use-session'
import type { MenuRequest } from '@/document/view-store'
import { titleOf } from '@/graph/connect'
import { findNode } from '@/graph/document'
import { portAt } from '@/graph/ports'
import type { Command } from '../commands/command'
import { commandsOf } from '../commands/commands'
import { isUsingKeyboard } from '../commands/key-targets'
import { formatShortcut } from '../commands/shortcut-keys'
import { commandIcons, type Entry, entriesOf } from './menu-entries'

/** The actions for what was clicked with the right button, pressed long, or focused when its key was pressed. */
export function ContextMenu() {
  const session = useSession()
  const request = useView((view) => view.menu)
  if (!request) return null
  const key = `${request.target} ${request.screen.x} ${request.screen.y}`
  return <OpenMenu key={key} request={request} close={() => session.view.setState({ menu: null })} />
}

function OpenMenu({ request, close }: { request: MenuRequest; close: () => void }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const commands = useMemo(
    () => new Map(commandsOf(session, t).map((command) => [command.id, command])),
    [session, t],
  )
  const groups = entriesOf(request, session, t)
  return (
    <PointMenu label={useLabel(request)} at={request.screen} byKeyboard={isUsingKeyboard()} onClose={close}>
      {groups.map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the groups of a menu never change their order
        <Fragment key={at}>
          {at > 0 && <MenuSeparator />}
          {group.map((entry) => (
            <EntryItem key={keyOf(entry)} entry={entry} commands={commands} />
          ))}
        </Fragment>
      ))}
    </PointMenu>
  )
}

function keyOf(entry: Entry): string {
  return typeof entry === 'string' ? entry : entry.label
}

type EntryItemProps = { entry: Entry; commands: ReadonlyMap<string, Command> }

function EntryItem({ entry, commands }: EntryItemProps) {
  if (typeof entry === 'string') return <CommandItem command={commands.get(entry)} />
  if ('choices' in entry)
    return (
      <SubMenu label={entry.label} icon={entry.icon}>
        {entry.choices.map(({ name, label, run }) => (
          <MenuItem key={name} onSelect={run}>
            {label}
          </MenuItem>
        ))}
      </SubMenu>
    )
  return (
    <MenuItem icon={entry.icon} refusal={entry.refusal} onSelect={entry.run}>
      {entry.label}
    </MenuItem>
  )
}

function CommandItem({ command }: { command: Command | undefined }) {
  if (!command) return null
  return (
    <MenuItem
      icon={commandIcons[command.id]}
      danger={command.id === 'delete'}
      {...(!(command.when?.() ?? true) && { disabled: true, refusal: command.refusal?.() })}
      onSelect={() => command.run()}
      {...(command.keys && { shortcut: formatShortcut(command.keys) })}
    >
      {command.label}
    </MenuItem>
  )
}

/** The name of the menu for screen readers: what its actions apply to. */
function useLabel({ target, port }: MenuRequest): string {
  const { t } = useTranslation('canvas')
  const { t: words } = useTranslation('keyboard')
  const { document, catalog, view } = useSession()
  const { nodes } = view.getState()
  const node = findNode(document, nodes[0] ?? '')
  if (target === 'selection') return t('selection.label', { count: nodes.length })
  if (target === 'port' && port) {
    const found = portAt(findNode(document, port.end.node), catalog, port.end, port.side)
    return words('port.end', {
      port: found?.title ?? port.end.port,
      node: node ? titleOf(node, catalog) : '',
    })
  }
  if (target === 'card' && node) return titleOf(node, catalog)
  return t(`menu.of.${target === 'card' || target === 'port' ? 'canvas' : target}`)
}
