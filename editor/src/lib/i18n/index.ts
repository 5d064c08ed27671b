import i18next from 'i18next'
import LanguageDetector from 'i18next-browser-languagedetector'
import { initReactI18next } from 'react-i18next'
import { first, type Words } from './en'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: Words
  }
}

/** The words of the interface. English is the only language; detection looks at the session, then at the browser. */
export const i18n = i18next.createInstance()

void i18n
  .use(LanguageDetector)
  .use(initReactI18next)
  .init({
    resources: { en: first },
    supportedLngs: ['en'],
    fallbackLng: 'en',
    load: 'languageOnly',
    defaultNS: 'common',
    ns: Object.keys(first),
    initAsync: false,
    detection: {
      order: ['sessionStorage', 'navigator'],
      caches: ['sessionStorage'],
      lookupSessionStorage: 'impasto.language',
    },
    interpolation: { escapeValue: false },
  })
