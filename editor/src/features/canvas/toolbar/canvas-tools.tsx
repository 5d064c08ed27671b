import {
  BoxSelect,
  Braces,
  CircleAlert,
  CircleCheck,
  Keyboard,
  Map as MapIcon,
  Maximize,
  Network,
  StickyNote,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { IconButton } from '@/components/icon-button'
import { Menu, MenuItem, MenuSeparator } from '@/components/menu'
import { insertNote } from '@/document/actions'
import { arrangeNodes } from '@/document/arrange-actions'
import { useChecks, useSession, useView } from '@/document/use-session'
import { useNarrower, WIDTHS } from '@/lib/browser-hooks'
import { formatShortcut } from '../commands/shortcut-keys'
import { useMultiSelectMode } from '../interactions/multi-select-mode'
import { UndoButtons } from './top-bar'

/** View controls: fit, tidy, zoom, minimap; and the problem count. */
export function CanvasTools() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const minimap = useView((view) => view.minimap)
  const hasVariables = useView((view) => view.dialog === 'variables')
  const narrow = useNarrower(WIDTHS.desk)
  const inHand = useNarrower(WIDTHS.tablet)
  return (
    <div
      role="toolbar"
      aria-label={t('tools.label')}
      className="pointer-events-auto flex h-10 items-center gap-0.5 rounded-pill border border-hairline bg-surface px-[5px] shadow-card"
    >
      <IconButton
        size="sm"
        label={t('tools.fit')}
        shortcut={formatShortcut('shift+1')}
        icon={<Maximize />}
        onClick={() => session.viewport?.fit()}
      />
      {session.canEdit && !inHand && (
        <IconButton
          size="sm"
          label={t('tools.tidy')}
          icon={<Network />}
          onClick={() => void arrangeNodes(session)}
        />
      )}
      <ZoomMenu />
      {session.canEdit && <MultiSelectButton />}
      {session.canEdit && inHand && <UndoButtons />}
      {session.canEdit && !inHand && (
        <IconButton
          size="sm"
          label={t('tools.note')}
          icon={<StickyNote />}
          onClick={() => insertNote(session)}
        />
      )}
      {session.canEdit && !inHand && (
        <IconButton
          size="sm"
          label={t('variables.title')}
          shortcut={formatShortcut('v')}
          icon={<Braces />}
          aria-pressed={hasVariables}
          onClick={() => session.view.open(hasVariables ? null : 'variables')}
        />
      )}
      {!narrow && (
        <IconButton
          size="sm"
          label={t('tools.minimap')}
          icon={<MapIcon />}
          aria-pressed={minimap}
          onClick={() => session.view.setState({ minimap: !minimap })}
        />
      )}
      {!inHand && (
        <IconButton
          size="sm"
          label={t('tools.shortcuts')}
          shortcut="?"
          icon={<Keyboard />}
          onClick={() => session.view.open('shortcuts')}
        />
      )}
      {session.canEdit && <ProblemsButton />}
    </div>
  )
}

/** Toggles multi-select mode for touch, where there is no Shift key. */
function MultiSelectButton() {
  const { t } = useTranslation('canvas')
  const on = useMultiSelectMode()
  return (
    <IconButton
      size="sm"
      label={t('tools.selectMultiple')}
      icon={<BoxSelect />}
      aria-pressed={on}
      onClick={() => useMultiSelectMode.setState(!on)}
      className="aria-pressed:bg-ink aria-pressed:text-paper not-pointer-coarse:hidden"
    />
  )
}

function ZoomMenu() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const percent = useView((view) => Math.round(view.zoom * 100))
  return (
    <Menu
      align="start"
      trigger={
        <Button
          size="sm"
          variant="ghost"
          aria-label={`${t('tools.zoom')} ${percent} %`}
          className="px-2 font-mono font-normal text-[11.5px] text-muted"
        >
          {percent}%
        </Button>
      }
    >
      <MenuItem icon={<ZoomIn />} shortcut="+" onSelect={() => session.viewport?.zoom('in')}>
        {t('tools.zoomIn')}
      </MenuItem>
      <MenuItem icon={<ZoomOut />} shortcut="-" onSelect={() => session.viewport?.zoom('out')}>
        {t('tools.zoomOut')}
      </MenuItem>
      <MenuItem shortcut="0" onSelect={() => session.viewport?.zoom(1)}>
        {t('tools.actualSize')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem shortcut={formatShortcut('shift+1')} onSelect={() => session.viewport?.fit()}>
        {t('tools.fit')}
      </MenuItem>
      <MenuItem
        shortcut={formatShortcut('shift+2')}
        onSelect={() => session.viewport?.fit(session.view.getState().nodes)}
      >
        {t('tools.selection')}
      </MenuItem>
    </Menu>
  )
}

function ProblemsButton() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const count = useChecks((checks) => checks.problems.length)
  const hasErrors = useChecks((checks) => checks.problems.some(({ severity }) => severity === 'error'))
  const words = count === 0 ? t('problems.none') : t('problems.count', { count })
  return (
    <Button
      size="sm"
      variant="ghost"
      aria-label={words}
      title={words}
      onClick={() => session.view.open('problems')}
      className={hasErrors ? 'text-madder-text' : count > 0 ? 'text-ochre-text' : 'text-viridian-text'}
    >
      {count > 0 ? <CircleAlert /> : <CircleCheck />}
      {count > 0 && <span className="tabular-nums">{count}</span>}
    </Button>
  )
}
