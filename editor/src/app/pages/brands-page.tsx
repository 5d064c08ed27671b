import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { BrandPage, BrandsPage, ImpactPage } from '@/features/brands'
import { brandsSearch } from '../route-search'

export function BrandsRoutePage() {
  const search = brandsSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  return (
    <BrandsPage
      importing={search.import ?? null}
      onImporting={(source) =>
        void navigate({ to: '/brands', search: source ? { import: source } : {}, resetScroll: false })
      }
      creating={search.new === true}
      onCreating={(creating) =>
        void navigate({ to: '/brands', search: creating ? { new: true } : {}, resetScroll: false })
      }
    />
  )
}

export function BrandRoutePage() {
  const { brandId } = useParams({ from: '/signed-in/brands/$brandId' })
  return <BrandPage key={brandId} id={brandId} />
}

export function ImpactRoutePage() {
  const { brandId } = useParams({ from: '/signed-in/brands/$brandId/impact' })
  return <ImpactPage key={brandId} id={brandId} />
}
