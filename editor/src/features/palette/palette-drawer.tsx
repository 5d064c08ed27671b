import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { IconButton } from '@/components/icon-button'
import { useSession, useView } from '@/document/use-session'
import { Palette, useSlashKey } from './palette'

/** The palette on narrow screens: a button that opens the list over the canvas. */
export function PaletteDrawer() {
  const { t } = useTranslation('palette')
  const session = useSession()
  const open = useView((view) => view.isPaletteOpen)
  const linking = useView((view) => view.connecting?.byTap ?? false)
  // Focus the search only when opened by keyboard; on touch, the on-screen keyboard would cover the list.
  const [byKey, setByKey] = useState(false)
  const turn = (adding: boolean, typing = false) => {
    setByKey(typing)
    session.view.setState({ isPaletteOpen: adding })
  }
  useSlashKey(() => turn(true, true))
  if (linking) return null
  if (!open) {
    return (
      <Button
        size="lg"
        className="pointer-events-auto self-end border-hairline pl-4 shadow-float"
        onClick={() => turn(true)}
      >
        <Plus />
        {t('search')}
      </Button>
    )
  }
  return (
    <Palette
      className="fixed inset-x-3 bottom-3 z-20 h-[min(70dvh,600px)] animate-appear shadow-float md:inset-x-auto md:top-[78px] md:bottom-4 md:left-4 md:h-auto md:w-[264px]"
      autoFocus={byKey}
      onPicked={() => turn(false)}
      aside={<IconButton label={t('close')} icon={<X />} tooltip={false} onClick={() => turn(false)} />}
    />
  )
}
