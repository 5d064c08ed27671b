import '@/lib/i18n/brands'

export { BrandPage } from './brand-page'
export { BrandsPage } from './brands-page'
export { ImpactPage } from './impact-page'
