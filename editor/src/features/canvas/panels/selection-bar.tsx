import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalDistributeCenter,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalDistributeCenter,
  CopyPlus,
  Group,
  Trash2,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/components/icon-button'
import { duplicateSelected, groupSelected, removeSelected } from '@/document/actions'
import { alignSelected, distributeSelected } from '@/document/arrange-actions'
import { useSession, useView } from '@/document/use-session'
import { useNarrower, WIDTHS } from '@/lib/browser-hooks'

/** Actions for several selected cards; stands in the row of the view's tools, so that it covers none of them. */
export function SelectionBar() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const count = useView((view) => view.nodes.length)
  const inHand = useNarrower(WIDTHS.tablet)
  if (count < 2 || !session.canEdit) return null
  const acts = [
    { label: t('selection.group'), icon: <Group />, run: () => groupSelected(session) },
    { label: t('selection.duplicate'), icon: <CopyPlus />, run: () => duplicateSelected(session) },
    { label: t('selection.delete'), icon: <Trash2 />, run: () => removeSelected(session) },
  ]
  const places = [
    { label: t('selection.left'), icon: <AlignStartVertical />, run: () => alignSelected(session, 'left') },
    {
      label: t('selection.centre'),
      icon: <AlignCenterVertical />,
      run: () => alignSelected(session, 'centre'),
    },
    { label: t('selection.right'), icon: <AlignEndVertical />, run: () => alignSelected(session, 'right') },
    { label: t('selection.top'), icon: <AlignStartHorizontal />, run: () => alignSelected(session, 'top') },
    {
      label: t('selection.middle'),
      icon: <AlignCenterHorizontal />,
      run: () => alignSelected(session, 'middle'),
    },
    {
      label: t('selection.bottom'),
      icon: <AlignEndHorizontal />,
      run: () => alignSelected(session, 'bottom'),
    },
    {
      label: t('selection.horizontally'),
      icon: <AlignHorizontalDistributeCenter />,
      run: () => distributeSelected(session, 'x'),
    },
    {
      label: t('selection.vertically'),
      icon: <AlignVerticalDistributeCenter />,
      run: () => distributeSelected(session, 'y'),
    },
  ]
  return (
    <div
      role="toolbar"
      aria-label={t('selection.label', { count })}
      className="pointer-events-auto flex h-10 min-w-0 max-w-full animate-fade items-center gap-0.5 rounded-pill border border-hairline bg-surface px-2 shadow-card"
    >
      <span className="flex-none px-2 text-muted text-xs">{t('selection.label', { count })}</span>
      <div className="flex min-w-0 items-center gap-0.5 overflow-x-auto [scrollbar-width:none]">
        {(inHand ? [...acts, ...places] : [...places, ...acts]).map(({ label, icon, run }) => (
          <IconButton key={label} size="sm" label={label} icon={icon} onClick={run} className="flex-none" />
        ))}
      </div>
    </div>
  )
}
