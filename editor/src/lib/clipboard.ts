import { i18n } from './i18n'
import { toastError, toastSuccess } from './toasts'

/** Copies a text and says whether it was copied. */
export function copyText(text: string): Promise<void> {
  return reportCopy(() => navigator.clipboard.writeText(text))
}

/** Says whether something was copied. Browsers refuse without a secure connection, or a permission. */
export async function reportCopy(copy: () => Promise<void>): Promise<void> {
  try {
    await copy()
    toastSuccess(i18n.t('common:copied'))
  } catch {
    toastError(i18n.t('common:copyFailed'))
  }
}
