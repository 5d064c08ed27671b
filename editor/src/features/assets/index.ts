import '@/lib/i18n/assets'

export { LibraryPage } from './library-page'
