import { Command, Ellipsis, History, Network, Save, StickyNote, Upload } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/components/icon-button'
import { Menu, MenuItem, MenuSeparator } from '@/components/menu'
import { arrangeNodes, insertNote } from '@/document/actions'
import { useSession } from '@/document/use-session'

/** In a hand there is room for one button: what the bar and the tools hold on a desk is behind it. */
export function MoreMenu() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  return (
    <Menu trigger={<IconButton label={t('top.others')} icon={<Ellipsis />} tooltip={false} />}>
      <MenuItem icon={<Save />} onSelect={() => void session.saver.save({ keep: true })}>
        {t('top.save')}
      </MenuItem>
      <MenuItem icon={<Upload />} onSelect={() => session.view.open('publish')}>
        {t('top.publish')}
      </MenuItem>
      <MenuItem icon={<History />} onSelect={() => session.view.setState({ mode: 'history' })}>
        {t('top.history')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Network />} onSelect={() => arrangeNodes(session)}>
        {t('tools.tidy')}
      </MenuItem>
      <MenuItem icon={<StickyNote />} onSelect={() => insertNote(session)}>
        {t('tools.note')}
      </MenuItem>
      <MenuItem icon={<Command />} onSelect={() => session.view.open('commands')}>
        {t('commands.title')}
      </MenuItem>
    </Menu>
  )
}
