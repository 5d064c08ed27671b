import '@/lib/i18n/account'
import '@/lib/i18n/connections'

export { ConnectionsPage } from './connections-page'
