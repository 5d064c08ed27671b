import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { sharedTexts, type Texts } from './en'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: Texts
  }
}

/**
 * The interface texts, in English only. Rows and cards, of which many are drawn at once, read their texts from it:
 * `useTranslation` takes longer than the rest of a port.
 */
export const i18n = i18next.createInstance()

void i18n.use(initReactI18next).init({
  resources: { en: sharedTexts },
  lng: 'en',
  defaultNS: 'common',
  ns: Object.keys(sharedTexts),
  initAsync: false,
  interpolation: { escapeValue: false },
})
