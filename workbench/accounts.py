"""Sign in, sign out, change the password, set language and look."""

import json
from typing import TYPE_CHECKING, Any, cast

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout, Submit
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import views as auth_views
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm, UsernameField
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import path, reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from sources.models import User
from sources.pages import own_path

from .requests import TEXT_SIZES, THEMES

COOKIE_AGE = 365 * 24 * 3600


class SignInForm(AuthenticationForm):
    """Sign in by name and password; a name longer than any account's is tried nowhere."""

    username = UsernameField(max_length=150, widget=forms.TextInput(attrs={"autofocus": True}))


@method_decorator([login_not_required, never_cache], name="dispatch")
class SignInDialog(auth_views.LoginView):
    """Sign in without leaving the page; what the page was sending is sent again."""

    template_name = "workbench/sign_in_dialog.html"
    authentication_form = SignInForm

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        super().form_valid(form)
        signed_in = json.dumps({"signed-in": {"user": form.get_user().pk}})
        return HttpResponse(status=204, headers={"HX-Trigger": signed_in})


class PasswordChange(auth_views.PasswordChangeView):
    """Change one's own password; other sessions of the person end."""

    template_name = "workbench/password.html"
    success_url = reverse_lazy("preferences")

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, _("Your password was changed."))
        return super().form_valid(form)


if TYPE_CHECKING:
    UserForm = forms.ModelForm[User]
else:
    UserForm = forms.ModelForm


class PreferencesForm(UserForm):
    """How the screens should look to one person."""

    text_size = forms.TypedChoiceField(
        label=gettext_lazy("Text size"),
        coerce=int,
        choices=[(size, f"{size} %") for size in TEXT_SIZES],
    )

    class Meta:
        model = User
        fields = ["language", "theme", "text_size"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = FormHelper()
        self.helper.layout = Layout("language", "theme", "text_size")
        self.helper.add_input(Submit("save", gettext_lazy("Save preferences")))


@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """Show and save language, theme and text size."""
    user = cast("User", request.user)
    form = PreferencesForm(request.POST or None, instance=User.objects.get(pk=user.pk))
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Your preferences were saved."))
        return redirect("preferences")
    status = 422 if form.errors else 200
    return render(request, "workbench/preferences.html", {"form": form}, status=status)


@login_not_required
@require_POST
def look(request: HttpRequest) -> HttpResponse:
    """Change the language or the theme from the header; kept in the profile, else in a cookie."""
    response = HttpResponseRedirect(own_path(request.POST.get("next", "")) or reverse("home"))
    language, theme = request.POST.get("language", ""), request.POST.get("theme", "")
    chosen = {
        "language": language if language in dict(settings.LANGUAGES) else "",
        "theme": theme if theme in THEMES else "",
    }
    chosen = {name: value for name, value in chosen.items() if value}
    for name, value in chosen.items():
        response.set_cookie(
            name, value, max_age=COOKIE_AGE, httponly=True, samesite="Lax", secure=settings.HTTPS
        )
    if chosen and isinstance(request.user, User):
        User.objects.filter(pk=request.user.pk).update(**chosen)
    return response


urlpatterns = [
    path(
        "sign-in/",
        auth_views.LoginView.as_view(
            template_name="workbench/sign_in.html",
            authentication_form=SignInForm,
            redirect_authenticated_user=True,
        ),
        name="sign-in",
    ),
    path("sign-in/dialog/", SignInDialog.as_view(), name="sign-in-dialog"),
    path("sign-out/", auth_views.LogoutView.as_view(), name="sign-out"),
    path("password/", PasswordChange.as_view(), name="password"),
    path("preferences/", preferences, name="preferences"),
    path("look/", look, name="look"),
]
