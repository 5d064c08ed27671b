import '@/lib/i18n/admin'

export { AdminPage } from './admin-page'
