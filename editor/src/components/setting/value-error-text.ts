import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { ValueError } from '@/graph/validate'

/** Returns a function that turns the error of a value into a sentence; undefined for no error. */
export function useValueErrorText(): (error: ValueError | null) => string | undefined {
  const { t } = useTranslation('inspector')
  return (error) => (error ? valueErrorText(error, t) : undefined)
}

/** The error of a value as a sentence. */
export function valueErrorText(error: ValueError, t: TFunction<'inspector'>): string {
  switch (error.code) {
    case 'inItem':
      return t('valueError.inItem', { number: error.number, error: valueErrorText(error.error, t) })
    case 'inField':
      return t('valueError.inField', { name: error.name, error: valueErrorText(error.error, t) })
    case 'missing':
      return t('valueError.missing', { name: error.name })
    case 'minCharacters':
    case 'maxCharacters':
    case 'minItems':
    case 'maxItems':
      return t(`valueError.${error.code}`, { count: error.count })
    case 'least':
    case 'most':
    case 'above':
    case 'below':
      return t(`valueError.${error.code}`, { limit: error.limit })
    default:
      return t(`valueError.${error.code}`)
  }
}
