import { useNavigate } from '@tanstack/react-router'
import { ExternalLink, RotateCcw, Square, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { MenuItem, MenuSeparator } from '@/components/menu'
import { PointMenu } from '@/components/point-menu'
import { isLive, type ListedRun } from '@/lib/api/run-list'

type RunMenuProps = {
  run: ListedRun
  /** The button that opened the menu. */
  button: HTMLElement
  byKeyboard: boolean
  onClose: () => void
  onStop: () => void
  onDelete: () => void
}

/** The actions of one run of the list. */
export function RunMenu({ run, button, byKeyboard, onClose, onStop, onDelete }: RunMenuProps) {
  const { t } = useTranslation('runList')
  const navigate = useNavigate()
  const params = { runId: run.id }
  const { left, bottom } = button.getBoundingClientRect()
  return (
    <PointMenu
      key={run.id}
      label={t('more', { title: run.title || t('noPrompt') })}
      at={{ x: left, y: bottom }}
      byKeyboard={byKeyboard}
      onClose={onClose}
    >
      <MenuItem icon={<ExternalLink />} onSelect={() => void navigate({ to: '/run/$runId', params })}>
        {t('open')}
      </MenuItem>
      {run.flow_id && (
        <MenuItem
          icon={<RotateCcw />}
          onSelect={() => void navigate({ to: '/run/$runId', params, search: { relaunch: true } })}
        >
          {t('relaunch')}
        </MenuItem>
      )}
      <MenuSeparator />
      {isLive(run) ? (
        <MenuItem icon={<Square />} onSelect={onStop}>
          {t('stop')}
        </MenuItem>
      ) : (
        <MenuItem icon={<Trash2 />} danger onSelect={onDelete}>
          {t('delete')}
        </MenuItem>
      )}
    </PointMenu>
  )
}
