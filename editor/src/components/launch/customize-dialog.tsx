import { Sparkle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Launch } from '@/lib/launch/use-launch'
import { Button } from '../button'
import { Dialog } from '../dialog'
import { EstimateLine } from './estimate-line'
import { InputsForm } from './inputs-form'

type CustomizeDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  name: string
  launch: Launch
  onLaunch: () => void
}

/** The input form of an agent, filled with the values of the last launch. */
export function CustomizeDialog({ open, onOpenChange, name, launch, onLaunch }: CustomizeDialogProps) {
  const { t } = useTranslation('launch')
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('customizeTitle')}
      description={t('customizeOf', { name })}
      size="xl"
      footer={
        <>
          <Button variant="ghost" className="mr-auto" onClick={launch.reset}>
            {t('form.reset')}
          </Button>
          <EstimateLine name={name} estimate={launch.estimate} className="max-sm:order-first" />
          <Button onClick={() => onOpenChange(false)}>{t('form.done')}</Button>
          <Button variant="primary" busy={launch.started} onClick={onLaunch}>
            <Sparkle aria-hidden />
            {t('launch')}
          </Button>
        </>
      }
    >
      {launch.fields.length === 0 ? (
        <p className="text-muted">{t('form.none')}</p>
      ) : (
        <InputsForm
          fields={launch.fields}
          values={launch.filled}
          errors={launch.rejected}
          costs={launch.estimate?.steps}
          onChange={launch.change}
        />
      )}
      {launch.estimate?.steps && launch.fields.some((field) => field.exposed) && (
        <p className="border-hairline border-t pt-3.5 text-muted text-xs">{t('form.listPrices')}</p>
      )}
    </Dialog>
  )
}
