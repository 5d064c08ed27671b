import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type BrandSummary, deleteBrand, duplicateBrand, setDefaultBrand } from '@/lib/api/brand-edits'
import { exportBrand } from '@/lib/api/brand-imports'
import { useAttempt, useExclusive, wasRejected } from '@/lib/attempt'
import { toastError, toastSuccess } from '@/lib/toasts'
import { withUndo } from '@/lib/with-undo'

type Named = Pick<BrandSummary, 'id' | 'content'>

/** The actions of a brand's menu; each shows its result as a toast. */
export function useBrandActions() {
  const { t } = useTranslation('brands')
  const navigate = useNavigate()
  const attempt = useAttempt()
  const duplicate = useExclusive(async ({ id, content: { name } }: Named) => {
    try {
      const copy = await duplicateBrand(id, attempt.keyOf(id))
      attempt.done()
      toastSuccess(t('duplicated', { name }))
      void navigate({ to: '/brands/$brandId', params: { brandId: copy.id } })
    } catch (error) {
      if (wasRejected(error)) attempt.done()
      toastError(t('failed'), error)
    }
  })
  const tell = (work: Promise<unknown>, words: string) =>
    void work.then(
      () => toastSuccess(words),
      (error) => toastError(t('failed'), error),
    )
  return {
    duplicate: (brand: Named) => void duplicate(brand),
    exportFile: ({ id, content: { name } }: Named) =>
      void exportBrand(id, name).catch((error) => toastError(t('failed'), error)),
    setDefault: ({ id, content: { name } }: Named, isDefault: boolean) =>
      tell(setDefaultBrand(id, isDefault), isDefault ? t('defaulted', { name }) : t('undefaulted')),
    remove: ({ id, content: { name } }: Named) =>
      withUndo({
        ids: [id],
        title: t('deleted', { name }),
        failed: t('failed'),
        commit: () => deleteBrand(id),
      }),
  }
}

export type BrandActions = ReturnType<typeof useBrandActions>
