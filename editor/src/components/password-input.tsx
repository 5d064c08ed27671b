import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classes } from '@/lib/classes'
import { Input } from './input'

/** A password field with a button that shows the password. */
export function PasswordInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  const { t } = useTranslation('common')
  const [shown, setShown] = useState(false)
  const Glyph = shown ? EyeOff : Eye
  return (
    <div className={classes('relative', className)}>
      <Input type={shown ? 'text' : 'password'} className="pr-11" {...rest} />
      <button
        type="button"
        aria-label={t('showPassword')}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-field text-faint hover:text-ink"
      >
        <Glyph className="size-4" />
      </button>
    </div>
  )
}
