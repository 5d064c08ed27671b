import { i18n } from '.'
import { apiWorkflow } from './en/api-workflow'

/** Adds the texts of the workflow chooser; imported by its chunk, so that it loads with it. */
i18n.addResourceBundle('en', 'apiWorkflow', apiWorkflow)
