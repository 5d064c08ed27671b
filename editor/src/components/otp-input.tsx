import { OTPInput, REGEXP_ONLY_DIGITS } from 'input-otp'
import type { Ref } from 'react'
import { classes } from '@/lib/classes'

type OtpInputProps = {
  ref?: Ref<HTMLInputElement>
  value: string
  onChange: (value: string) => void
  /** Called once all boxes are filled. */
  onComplete?: (value: string) => void
  length?: number
  disabled?: boolean
  autoFocus?: boolean
  id?: string
  name?: string
  onBlur?: () => void
  'aria-label'?: string
  'aria-invalid'?: boolean
  'aria-describedby'?: string
  size?: 'md' | 'lg'
}

const boxes = {
  md: 'h-12 max-w-12 rounded-field text-[24px]',
  lg: 'h-[70px] max-w-[58px] rounded-[14px] text-[34px]',
}

/** A code in boxes of one digit. One real input underneath supports pasting and autofill. */
export function OtpInput({ length = 6, size = 'lg', ...rest }: OtpInputProps) {
  return (
    <OTPInput
      maxLength={length}
      pattern={REGEXP_ONLY_DIGITS}
      inputMode="numeric"
      autoComplete="one-time-code"
      pasteTransformer={(text) => text.replace(/\D/g, '')}
      containerClassName="w-full"
      render={({ slots }) => (
        <div className={classes('flex gap-2.5', size === 'lg' && 'justify-center max-sm:gap-1.5')}>
          {slots.map((slot, index) => (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: a box is its place
              key={index}
              data-active={slot.isActive || undefined}
              className={classes(
                'grid min-w-0 flex-1 place-items-center border border-hairline-strong bg-surface font-serif leading-none transition-[border-color,box-shadow] data-active:field-focus',
                rest['aria-invalid'] && 'border-madder',
                boxes[size],
              )}
            >
              {slot.char}
              {slot.hasFakeCaret && <span className="h-[45%] w-[1.5px] animate-breathe bg-cobalt" />}
            </div>
          ))}
        </div>
      )}
      {...rest}
    />
  )
}
