import '@/lib/i18n/account'

export { AccountPage } from './account-page'
