import '@/lib/i18n/run-list'

export { RunsPage } from './runs-page'
