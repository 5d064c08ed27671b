export { ForgetPasswordPage } from './forget-password-page'
export { LoginPage } from './login-page'
export { SetPasswordPage } from './set-password-page'
export { SignupPage } from './signup-page'
