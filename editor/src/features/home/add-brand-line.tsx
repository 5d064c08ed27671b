import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { brandsQuery } from '@/lib/api/brands'
import { currentUserQuery } from '@/lib/api/users'

/** Offers to add a brand with the company's name, as long as the user has none. */
export function AddBrandLine() {
  const { t } = useTranslation('home')
  const { data: brands } = useQuery(brandsQuery)
  const { data: user } = useQuery(currentUserQuery)
  // Has its height from the start: the agents below do not move when the brands have loaded.
  return (
    <p className="min-h-6 text-muted text-sm">
      {brands?.every(({ example }) => example) && (
        <>
          {t('unsigned')}{' '}
          <Link
            to="/brands"
            search={{ new: true }}
            className="wrap-anywhere rounded-xs font-semibold text-ink underline underline-offset-3"
          >
            {user?.info ? t('addBrandOf', { name: user.info.company }) : t('addBrand')}
          </Link>
        </>
      )}
    </p>
  )
}
