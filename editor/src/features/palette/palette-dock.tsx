import { PanelLeftClose, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/components/icon-button'
import { keepPaletteFolded } from '@/document/folded-palette'
import { useSession, useView } from '@/document/use-session'
import { Palette, useSlashKey } from './palette'

/** The palette beside the canvas. It folds to a button, and stays so on this device. */
export function PaletteDock() {
  const { t } = useTranslation('palette')
  const session = useSession()
  const isFolded = useView((view) => view.isPaletteFolded)
  const [byHand, setByHand] = useState(false)
  const fold = (isPaletteFolded: boolean) => {
    setByHand(true)
    session.view.setState({ isPaletteFolded })
    keepPaletteFolded(isPaletteFolded)
  }
  if (isFolded) return <Folded focused={byHand} onOpen={() => fold(false)} />
  return (
    <Palette
      autoFocus={byHand}
      aside={<IconButton size="sm" label={t('fold')} icon={<PanelLeftClose />} onClick={() => fold(true)} />}
    />
  )
}

function Folded({ focused, onOpen }: { focused: boolean; onOpen: () => void }) {
  const { t } = useTranslation('palette')
  useSlashKey(onOpen)
  return (
    <div className="pointer-events-auto self-start rounded-pill border border-hairline bg-surface p-[5px] shadow-card">
      <IconButton
        size="sm"
        label={t('unfold')}
        shortcut="/"
        icon={<Plus />}
        autoFocus={focused}
        onClick={onOpen}
      />
    </div>
  )
}
