/** Each page is a chunk of its own, so that signing in does not load the code of signing up. */
export const loadForgetPassword = () => import('./forget-password-page')
export const loadInvitation = () => import('./invitation-page')
export const loadLogin = () => import('./login-page')
export const loadSetPassword = () => import('./set-password-page')
export const loadSignup = () => import('./signup-page')
