import '@/lib/i18n/runs'

export { RunPage } from './run-page'
